import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { limit } from '../../../../host/limits';
import {
  decisiveIndex,
  decisiveLine,
  firstDeployment,
  goneBranchIn,
  isBranchMissingIn,
  hookFailure,
  logSince,
  splitLines,
  subversionRevision,
} from '../../../../../src/features/deployments/history/deployLog';

describe('a deployment log', () => {
  it('is read in no time, however long a line is', () => {
    const started = process.cpuUsage();
    for (const piece of ['at hook ', 'error ', "merge with the ref 'a' ", '[A] ', '; Directory - ;', ' ', '.']) {
      const line = piece.repeat(1_000_000 / piece.length);
      decisiveLine(line);
      hookFailure(`${line}\n${line}`);
      goneBranchIn(line);
      subversionRevision(line);
      firstDeployment(line);
    }
    assert.equal(hookFailure(`Applying x hook\nno space\n${'hook '.repeat(200_000)}failed`)?.words, 'no space');
    assert.ok(process.cpuUsage(started).user < limit(10_000_000));
  }).timeout(limit(30_000));

  it('has one decisive line: the cause, not what follows from it', () => {
    const merge = [
      '2026-11-23 10:00:01 update from https://example.com/tea.git',
      'error: Your local changes to the following files would be overwritten by merge:',
      '\tindex.php',
      'Please commit your changes or stash them before you merge.',
      'Aborting',
      '2026-11-23 10:00:02 failed: git merge ended with 1',
    ];
    assert.equal(
      decisiveLine(merge.join('\n')),
      'error: Your local changes to the following files would be overwritten by merge: index.php',
    );
    assert.equal(
      decisiveLine('fetch\nfatal: Authentication failed for x\nfailed: git\n'),
      'fatal: Authentication failed for x',
    );
    assert.equal(
      decisiveLine('svn: E170001: Authorization failed\nfailed: svn\n'),
      'svn: E170001: Authorization failed',
    );
    assert.equal(
      decisiveLine('npm ERR! Missing script: "build"\nfailed: the hook ended with 1'),
      'npm ERR! Missing script: "build"',
    );
    assert.equal(
      decisiveLine('[2026-11-23T10:00:01Z] failed: the hook preBuild ended with 3\n'),
      'the hook preBuild ended with 3',
    );
    // A quoted name at the end of a line doesn't go on in the next one.
    assert.equal(
      decisiveLine("Error: Cannot find module 'express'\nRequire stack:\n- /home/build.js\n"),
      "Error: Cannot find module 'express'",
    );
    assert.equal(
      decisiveLine("Error: Cannot find module 'express'\n    at Function.Module._resolveFilename (module.js:1)\n"),
      "Error: Cannot find module 'express'",
    );
    // What Git says about clones that can't pull.
    assert.equal(
      decisiveLine('Already up to date.\nYou are not currently on a branch.\nPlease specify which branch you want.\n'),
      'You are not currently on a branch.',
    );
    assert.equal(
      decisiveLine(
        "Your configuration specifies to merge with the ref 'refs/heads/gone'\r\nfrom the remote, but no such ref was fetched.\n",
      ),
      "Your configuration specifies to merge with the ref 'refs/heads/gone' from the remote, but no such ref was fetched.",
    );
    assert.equal(decisiveLine('0 errors\nran\nfailed: the hook ended with 3'), 'the hook ended with 3');
  });

  it('shows where the decisive line is, though blank lines come before', () => {
    assert.equal(decisiveIndex(['started', '', '[2026-11-23 10:00:01] error: no space', '', 'failed: x']), 2);
    assert.equal(decisiveIndex(['one', '']), -1);
  });

  it('has no decisive line if none tells of a failure, and none is long', () => {
    assert.equal(decisiveLine('one\ntwo\n'), undefined);
    assert.equal(decisiveLine(''), undefined);
    assert.equal(decisiveLine(`error: ${'x'.repeat(1000)}`)?.length, 200);
  });

  it('has a Subversion revision only if all lines name the same one', () => {
    assert.equal(subversionRevision('Updating\nUpdated to revision 7.\nAt revision 7.\n'), '7');
    assert.equal(subversionRevision('Updated to revision 7.\nAt revision 6.\n'), undefined);
    assert.equal(subversionRevision('nothing of the kind'), undefined);
  });

  describe('since a redeploy began', () => {
    const old = "[2026-11-23 10:00:01] fatal: couldn't find remote ref refs/heads/nope\n";
    const startedAt = Date.parse('2026-11-23T10:30:00Z');
    const since = (log: string, length?: number) => logSince(log, { startedAt, length });

    it('is what was added to its earlier length in bytes, also after characters of several bytes', () => {
      assert.equal(since(`${old}grün\nnew\n`, Buffer.byteLength(`${old}grün\n`)), 'new\n');
      assert.equal(since(old, old.length), '');
      assert.equal(since('new\n', 0), 'new\n');
    });

    it('never has an earlier line, if bytes of the log are no text', () => {
      // As UTF-8, each replacement character would have three bytes, although the file has one.
      const earlier = `\uFFFD\uFFFD\uFFFD${old}`;
      assert.equal(since(`${earlier}new\n`, 3 + old.length), 'new\n');
    });

    it('is what its times prove, if its earlier length is unknown, or it was replaced', () => {
      for (const length of [undefined, 10_000]) {
        assert.equal(since(old, length), '');
        assert.equal(since('error: no times\n', length), '');
        assert.equal(
          since(`${old}[2026-11-23 10:30:01] began\nfatal: new\n`, length),
          '[2026-11-23 10:30:01] began\nfatal: new\n',
        );
        assert.equal(since(`${old}[2026-11-23T11:30:01+01:00] began\n`, length), '[2026-11-23T11:30:01+01:00] began\n');
      }
    });

    it("is what the vendor's dates prove, too", () => {
      const earlier = '11/23/26. 9:58:12.174000000spawn git pull\r\nfatal: old\r\n';
      const later = '11/23/26.10:30:01.174000000spawn git pull\r\nfatal: new\r\n';
      assert.equal(since(earlier + later), later);
      assert.equal(since(earlier), '');
      const hook = '[INFO] Mon Nov 23 10:30:01 UTC 2026 Applying Pre-deploy hook for ROOT \n';
      assert.equal(since(`[INFO] Mon Nov 23 09:58:12 UTC 2026 Applying Pre-deploy hook for ROOT \nold\n${hook}`), hook);
      assert.equal(since(`Tue Nov  3 10:30:01 UTC 2026 HEAD is now at 1234567 old\n`), '');
    });

    it("is nothing if the node's clock is ahead, because then an old line looks new", () => {
      const ahead = new Date(Date.now() + 60_000).toISOString();
      assert.equal(since(`${old}[${ahead}] fatal: old\n`), '');
    });
  });

  it('ends where the next one begins, with the same line at another time', () => {
    const first = '\n[2026-11-23 10:00:01] project ROOT, node 1\n[2026-11-23 10:00:02] deployed\n';
    const later = '[2026-11-23 12:00:01] project ROOT, node 1\nfatal: no\n';
    assert.deepEqual(firstDeployment(`${first}${later}${later}`), { text: first.trimEnd(), isEndKnown: true });
  });

  it("has no known end if its first line isn't repeated", () => {
    const clone = '11/27/26.10:00:01.174000000spawn git clone x\r\n';
    const pull = '11/27/26.12:00:01.174000000spawn git pull\r\nfatal: no\r\n';
    assert.deepEqual(firstDeployment(`${clone}${pull}`), { text: `${clone}${pull}`, isEndKnown: false });
    assert.deepEqual(firstDeployment(''), { text: '', isEndKnown: true });
  });

  it("ends where the vendor's next one begins, whichever of its dates is in front", () => {
    const oneAndNext = [
      ['Mon Nov 23 10:00:01 UTC 2026 Copying content \n', 'Tue Dec  1 10:00:01 CET 2026 Copying content \n'],
      [
        '11/27/26. 9:58:12.17400000011/27/26. 9:58:12.174000000spawn git pull\r\n',
        '11/27/26.11:58:12.17400000011/27/26.11:58:13.000000000spawn git pull\r\n',
      ],
    ] as const;
    for (const [one, next] of oneAndNext) {
      const first = `${one}Already up to date.\r\n`;
      assert.deepEqual(firstDeployment(`${first}${next}fatal: no\r\n`), {
        text: first.slice(0, -1),
        isEndKnown: true,
      });
    }
    assert.equal(decisiveLine('Mon Nov 23 10:00:01 UTC 2026 fatal: no\r\n'), 'fatal: no');
    assert.equal(decisiveLine('11/27/26.11:58:12.174000000fatal: no\r\n'), 'fatal: no');
  });

  it("has a Subversion revision also behind the vendor's words, and with the line breaks of a terminal", () => {
    const date = '11/27/26.11:58:12.174000000';
    const about = `${date} URL - svn://svn.example.com/tea; Directory - /var/www/webroot/ROOT;`;
    assert.equal(subversionRevision(`${about}Updating '/var/www/webroot/ROOT':\r\nUpdated to revision 7.\r\n`), '7');
    assert.equal(subversionRevision(`${about}Checked out revision 0.\n`), '0');
    assert.equal(subversionRevision(`${date}${date}At revision 7.\r\n`), '7');
    assert.equal(subversionRevision('note: At revision 7.\n'), undefined);
  });

  describe('of hooks', () => {
    const date = 'Fri Nov 27 11:58:12 UTC 2026';
    const begin = (name: string) => `[INFO] ${date} Applying ${name} hook for ROOT \n\n`;
    const ended = `[INFO] ${date} Pre-deploy hook applied successfully\n\n\n`;
    const failed = (name: string) => `[ERROR] ${date} ${name} hook execution failed. Exit code 3\n\n\n`;

    it('shows what the failed hook printed last, and the line that says that it failed', () => {
      const log = `${begin('Pre-deploy')}0 errors\r\n${ended}${begin('Post-deploy')}first\r\nit is raining\r\n${failed('Post-deploy')}`;
      const failure = hookFailure(log);
      assert.equal(failure?.words, 'it is raining');
      assert.equal(failure.ending, 'Post-deploy hook execution failed. Exit code 3');
      assert.equal(splitLines(log)[failure.index], 'it is raining');
    });

    it('prefers what a program says about its failure', () => {
      const log = `${begin('Pre-deploy')}npm ERR! Missing script: "build"\nbye\n${failed('Pre-deploy')}`;
      assert.equal(hookFailure(log)?.words, 'npm ERR! Missing script: "build"');
    });

    it('shows that a hook failed or ran out of time, though it printed nothing', () => {
      const failure = hookFailure(begin('Pre-deploy') + failed('Pre-deploy'));
      assert.equal(failure?.words, undefined);
      assert.equal(failure?.ending, 'Pre-deploy hook execution failed. Exit code 3');
      const late = `${begin('Pre-deploy')}begun\n[ERROR] ${date} Pre-deploy hook execution timed out. Exit code 124\n`;
      assert.deepEqual(
        [hookFailure(late)?.words, hookFailure(late)?.ending],
        ['begun', 'Pre-deploy hook execution timed out. Exit code 124'],
      );
    });

    it('shows no failure if all succeeded', () => {
      assert.equal(hookFailure(`${begin('Pre-deploy')}error: none\n${ended}`), undefined);
    });

    it('ends where the hooks of the next deployment begin', () => {
      const later = `${begin('Pre-deploy').replace('11:58', '12:58')}theirs\n${failed('Pre-deploy')}`;
      const mine = `${begin('Pre-deploy')}mine\n${ended}${begin('Post-deploy')}mine, too\n`;
      assert.deepEqual(firstDeployment(mine + later), { text: mine.slice(0, -1), isEndKnown: true });
    });
  });

  it('names the branch that is gone from the repository', () => {
    const said = (branch: string) =>
      `Your configuration specifies to merge with the ref 'refs/heads/${branch}'\r\nfrom the remote, but no such ref was fetched.\r\n`;
    assert.equal(goneBranchIn(`${said('old')}Already up to date.\n${said('team/next')}`), 'team/next');
    assert.equal(goneBranchIn('You are not currently on a branch.\n'), undefined);
  });

  describe('says that a branch is missing', () => {
    for (const said of [
      "fatal: couldn't find remote ref refs/heads/team/next",
      "fatal: couldn't find remote ref team/next",
      'warning: Could not find remote branch team/next to clone.\r\nfatal: Remote branch team/next not found in upstream origin',
      "Already up to date.\r\nerror: pathspec 'team/next' did not match any file(s) known to git",
      "[2026-11-23 10:00:01] Your configuration specifies to merge with the ref 'refs/heads/team/next'\r\nfrom the remote, but no such ref was fetched.",
    ]) {
      it(`in the words of Git: ${said.split('\n').at(-1) ?? ''}`, () => {
        assert.equal(isBranchMissingIn(`${said}\r\n`, 'team/next'), true);
        assert.equal(isBranchMissingIn(`${said}\r\n`, 'next'), false);
      });
    }

    it('only if nothing else failed before, such as the connection', () => {
      const missing = "error: pathspec 'next' did not match any file(s) known to git\n";
      assert.equal(isBranchMissingIn(missing, 'next'), true);
      for (const failure of [
        "fatal: unable to access 'https://git.example/shop/': Could not resolve host: git.example",
        "fatal: Authentication failed for 'https://git.example/shop/'",
        'error: cannot open .git/FETCH_HEAD: Permission denied',
      ]) {
        assert.equal(isBranchMissingIn(`${failure}\n${missing}`, 'next'), false);
        assert.equal(isBranchMissingIn(`${failure}\n`, 'next'), false);
      }
      assert.equal(isBranchMissingIn('', 'next'), false);
    });
  });
});
