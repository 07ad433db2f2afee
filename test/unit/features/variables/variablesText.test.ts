import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { limit } from '../../../host/limits';
import {
  formatChange,
  formatVariables,
  mergeVariables,
  parseVariables,
  replaceValues,
  showOrMask,
} from '../../../../src/features/variables/variablesText';

const mask = '••••••••';
const none: ReadonlyMap<string, string> = new Map();
const earlier = new Map([
  ['DATABASE_PASSWORD', 'tide-7-marsh'],
  ['PATH', '/bin'],
]);
const valuesIn = (text: string, before = none) => {
  const parsed = parseVariables(text, before);
  assert.ok('values' in parsed, JSON.stringify(parsed));
  return Object.fromEntries(parsed.values);
};
const problemsIn = (text: string, before = none) => {
  const parsed = parseVariables(text, before);
  return 'problems' in parsed ? parsed.problems.map(({ line, kind }) => `${line} ${kind}`) : [];
};

const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,20}$/);
const value = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({
    unit: fc.constantFrom('"', '\\', '\n', '\r', ' ', '\t', '=', '#', '•', '\u2028', '\ufeff', '\ud83d', 'a'),
  }),
  fc.json(),
  fc.constantFrom('', ' ', mask, `"${mask}"`, '"', '# no comment', 'a=b', ' ends ', 'x'.repeat(10_240)),
);
const variables = fc.uniqueArray(fc.tuple(name, value), { selector: ([one]) => one, maxLength: 8 });

describe('the text of container variables', () => {
  it('is shown in a question with old and new values, but without secrets, and not at length', () => {
    const shown = (of: string, values: readonly (string | undefined)[], secrets: 'shown' | 'masked' = 'masked') =>
      formatChange(of, values, secrets);
    assert.equal(shown('APP_ENV', ['production', 'staging']), 'APP_ENV=production → staging');
    assert.equal(shown('APP_ENV', [undefined, 'a b\nc']), 'APP_ENV="a b\\nc"');
    assert.equal(shown('APP_TOKEN', ['tide-7', 'tide-8']), `APP_TOKEN=${mask}`);
    assert.equal(shown('URL', ['/x', 'db://me:marsh@host']), `URL=/x → ${mask}`);
    assert.equal(shown('APP_TOKEN', ['tide-7', 'tide-8'], 'shown'), 'APP_TOKEN=tide-7 → tide-8');
    assert.equal(shown('LONG', ['', 'x'.repeat(100)]), `LONG= → ${'x'.repeat(60)}…`);
  });

  it('shows where long values differ', () => {
    const shown = (...values: readonly string[]) => formatChange('OPTIONS', values, 'shown').replace('OPTIONS=', '');
    const same = 'abcdefghij'.repeat(10);
    assert.equal(shown(`${same}old`, `${same}new`), '…abcdefghijabcdefghijold → …abcdefghijabcdefghijnew');
    assert.equal(shown(same, `${same}🚢`), '…abcdefghijabcdefghij → …abcdefghijabcdefghij🚢');
    const [end, rest] = ['z'.repeat(100), 'z'.repeat(39)];
    assert.equal(
      shown(`${same}1${end}`, `${same}2${end}`),
      `…abcdefghijabcdefghij1${rest}… → …abcdefghijabcdefghij2${rest}…`,
    );
    assert.equal(shown(`🚢${same}`, `🚣${same}`), `🚢${same.slice(0, 58)}… → 🚣${same.slice(0, 58)}…`);
    const [begin, end2] = [same.slice(0, 55), `${same.slice(0, 55)}end and more`];
    assert.equal(shown(begin, end2), `…${begin.slice(-20)} → …${end2.slice(35)}`);
    fc.assert(
      fc.property(
        fc.string({ maxLength: 200 }),
        fc.string({ maxLength: 20 }),
        fc.string({ maxLength: 20 }),
        (head, one, other) => {
          fc.pre(one !== other);
          const [before, after] = [head + one, head + other];
          assert.match(shown(before, after), / → /);
          assert.notEqual(...(shown(before, after).split(' → ') as [string, string]));
        },
      ),
    );
  });

  it('has every value exactly, also in a document with other line breaks and trailing spaces', () => {
    fc.assert(
      fc.property(variables, fc.constantFrom('\n', '\r\n'), fc.constantFrom('', ' ', '\t'), (all, eol, end) => {
        const text = formatVariables(new Map(all), 'shown');
        const [written, values] = [text.split('\n').join(end + eol), valuesIn(text)];
        assert.deepEqual(values, Object.fromEntries(all));
        assert.deepEqual(valuesIn(written), values);
      }),
      { numRuns: 500 },
    );
  });

  it('has every value exactly if secrets are masked, shown, and masked again', () => {
    fc.assert(
      fc.property(variables, (all) => {
        const before = new Map(all);
        const masked = formatVariables(before, 'masked');
        const shown = showOrMask(masked, before, 'shown');
        assert.equal(shown, formatVariables(before, 'shown'));
        assert.equal(showOrMask(shown, before, 'masked'), masked);
        for (const text of [masked, shown]) assert.deepEqual(valuesIn(text, before), Object.fromEntries(all));
      }),
    );
  });

  it('is plain for plain values', () => {
    const all = { B: 'a=b c#d', A: '', C: ' x', D: '{"a":1}', E: 'one\ntwo', F: '"q"', G: 'größer 🚢' };
    assert.equal(
      formatVariables(new Map(Object.entries(all)), 'shown'),
      'A=\nB=a=b c#d\nC=" x"\nD={"a":1}\nE="one\\ntwo"\nF="\\"q\\""\nG=größer 🚢\n',
    );
  });

  it('ignores comments, blank lines, and spaces around names and plain values', () => {
    assert.deepEqual(valuesIn('# A=1\n\n  # B=2\n C = 3 \nexport_it=x # y\n'), { C: '3', export_it: 'x # y' });
  });

  it('masks what looks like a secret', () => {
    const all = new Map(
      Object.entries({
        DB_PASS: 'a',
        api_key: 'b',
        GITHUB_TOKEN: 'c',
        Secret: 'd',
        URL: 'mysql://shop:e@db/shop',
        EMPTY_KEY: '',
        HOST: 'f',
        LINK: 'https://shop.example/a@b',
        CACHE: 'redis://:g/h@cache',
        REGISTRY: `https://shop:${'s'.repeat(200_000)}@registry.example`,
        LINKS: 'a@b https://shop.example:80/ ftp://shop:t@files.example',
        DB: 'Server=db;Uid=shop;Password=i',
        JSON: '{"api_key": "j"}',
        PEM: '-----BEGIN RSA PRIVATE KEY-----',
        SLACK_WEBHOOK: 'https://hooks.slack.com/services/T0/B0/k',
        WEBHOOK_URL: 'https://chat.example.com/hooks/l',
        SLACK: 'https://hooks.slack.com/services/T0/B0/m',
        DISCORD: 'https://discord.com/api/webhooks/1/n',
        TEAMS: 'https://outlook.office.com/webhook/o/IncomingWebhook/p',
        TEAMS_NOW: 'https://acme.webhook.office.com/webhookb2/q/IncomingWebhook/r',
        WEBHOOK_TIMEOUT: '30',
      }),
    );
    const shown = formatVariables(all, 'masked')
      .split('\n')
      .filter((line) => line !== '' && !line.endsWith(`=${mask}`));
    assert.deepEqual(shown, ['EMPTY_KEY=', 'HOST=f', 'LINK=https://shop.example/a@b', 'WEBHOOK_TIMEOUT=30']);
  });

  it('keeps the earlier value for an unchanged mask, and only for that', () => {
    assert.deepEqual(valuesIn(`DATABASE_PASSWORD=${mask}`, earlier), { DATABASE_PASSWORD: 'tide-7-marsh' });
    assert.deepEqual(valuesIn(`DATABASE_PASSWORD="${mask}"`, earlier), { DATABASE_PASSWORD: mask });
    assert.deepEqual(problemsIn(`OTHER_PASSWORD=${mask}`, earlier), ['1 nothingMasked']);
    assert.deepEqual(problemsIn(`DATABASE_PASSWORD=${mask}x`, earlier), ['1 partOfMask']);
    for (const left of [mask.slice(1), '••typed', 'typed•', `typed${mask}`])
      assert.deepEqual(problemsIn(`DATABASE_PASSWORD=${left}`, earlier), ['1 partOfMask'], left);
    assert.deepEqual(valuesIn('DATABASE_PASSWORD="a•"', earlier), { DATABASE_PASSWORD: 'a•' });
  });

  it('reads the lines of .env files and shell scripts that people paste', () => {
    const pasted = "\ufeffexport A=1\r\n export\tB='two words'\r\nC=\"three\"\r\n#D=4\r\nE=''\r\nexport=5\r\n";
    assert.deepEqual(valuesIn(pasted), { A: '1', B: 'two words', C: 'three', E: '', export: '5' });
    assert.deepEqual(problemsIn("A='it's'\nB='open\nC='a' # note\nD=\"C:\\dir\"\nA B=1"), [
      '1 notQuoted',
      '2 notQuoted',
      '3 notQuoted',
      '4 notQuoted',
      '5 invalidName',
    ]);
  });

  it('treats names that JavaScript objects have like any other', () => {
    const all = new Map(['__proto__', 'constructor', 'toString'].map((one) => [one, 'x']));
    const parsed = parseVariables(formatVariables(all, 'shown'), none);
    assert.deepEqual('values' in parsed && [...parsed.values], [...all].sort());
  });

  it('shows and masks secrets without touching what was typed', () => {
    const text = `# note\nDATABASE_PASSWORD=${mask}\n  NEW_SECRET=typed \nPATH=/sbin\nno equals sign`;
    const shown = showOrMask(text, earlier, 'shown');
    assert.equal(shown, text.replace(mask, 'tide-7-marsh'));
    assert.equal(showOrMask(shown, earlier, 'masked'), text);
    const changed = 'DATABASE_PASSWORD=changed';
    assert.equal(showOrMask(changed, earlier, 'masked'), changed);
  });

  it('gets other values, and keeps comments and the order', () => {
    const text = '# ours\n\nPATH=/bin\nOLD=1\n  # note\nexport APP_TOKEN="first"\n# end\n\n';
    const values = new Map([
      ['NEW', 'x'],
      ['APP_TOKEN', 'second'],
      ['PATH', '/sbin'],
    ]);
    assert.equal(
      replaceValues(text, values, 'masked'),
      `# ours\n\nPATH=/sbin\n  # note\nAPP_TOKEN=${mask}\n# end\nNEW=x\n`,
    );
  });

  it('has exactly the other values, whatever it said before', () => {
    fc.assert(
      fc.property(variables, variables, (before, all) => {
        const values = new Map(all);
        const text = replaceValues(formatVariables(new Map(before), 'shown'), values, 'masked');
        assert.deepEqual(valuesIn(text, values), Object.fromEntries(all));
      }),
      { numRuns: 500 },
    );
  });

  describe('after a change by someone else', () => {
    const base = new Map(Object.entries({ A: '1', B: '2', C: '3', D: '4', E_KEY: 'five' }));
    const merged = (yours: string, theirs: Readonly<Record<string, string>>) => {
      const names = { yours: 'Yours', theirs: 'Server' };
      return mergeVariables(yours, { base, theirs: new Map(Object.entries(theirs)), names, secrets: 'masked' });
    };
    const unchanged = Object.fromEntries(base);

    it("has both sides' changes, and keeps comments and the order", () => {
      const yours = `# mine\nC=mine\nA=1\n\nE_KEY=${mask}\nB=2\nNEW=n\n`;
      const { text, conflicts } = merged(yours, {
        ...unchanged,
        A: 'theirs',
        E_KEY: 'new',
        OTHER: 'o',
        THEIR_KEY: 'k',
      });
      assert.equal(text, `# mine\nC=mine\nA=theirs\n\nE_KEY=${mask}\nB=2\nNEW=n\nOTHER=o\nTHEIR_KEY=${mask}\n`);
      assert.equal(conflicts, 0);
    });

    it('has no line for what they removed, and none for what the person removed', () => {
      const { text, conflicts } = merged('A=1\nC=3\nD=4\n', { A: '1', B: '2', C: '3', E_KEY: 'five' });
      assert.deepEqual([text, conflicts], ['A=1\nC=3\n', 0]);
    });

    it("keeps a new line that can't be read yet if they added its name, too", () => {
      const yours = 'A=1\nB=2\nC=3\nD=4\nE_KEY=five\nOPTIONS="-Xmx512m\n';
      const { text, conflicts } = merged(yours, { ...unchanged, OPTIONS: '-Xss1m' });
      assert.match(text, /<<<<<<< Yours\nOPTIONS="-Xmx512m\n======= Server\nOPTIONS=-Xss1m\n>>>>>>> Server\n/);
      assert.equal(conflicts, 1);
    });

    it('never decides between two changes of one variable: neither can be saved before the person does', () => {
      const { text, conflicts } = merged('A=mine\nB=same\nC=kept\nE_KEY=mine\n', {
        A: 'theirs',
        B: 'same',
        D: 'theirs',
        E_KEY: 'theirs',
      });
      assert.equal(
        text,
        [
          '<<<<<<< Yours',
          'A=mine',
          '======= Server',
          'A=theirs',
          '>>>>>>> Server',
          'B=same',
          '<<<<<<< Yours',
          'C=kept',
          '======= Server',
          '>>>>>>> Server',
          '<<<<<<< Yours',
          'E_KEY=mine',
          '======= Server',
          `E_KEY=${mask}`,
          '>>>>>>> Server',
          '<<<<<<< Yours',
          '======= Server',
          'D=theirs',
          '>>>>>>> Server',
          '',
        ].join('\n'),
      );
      assert.equal(conflicts, 4);
      assert.ok(problemsIn(text, base).length > 0);
    });

    it('keeps lines that cannot be read', () => {
      assert.equal(merged('A="open\nnote\nB=2\nC=3\nD=4\nE_KEY=five', unchanged).conflicts, 0);
      assert.match(
        merged('A="open\nnote\n', { A: 'theirs' }).text,
        /^<<<<<<< Yours\nA="open\n======= Server\nA=theirs/,
      );
    });
  });

  it('says which lines it cannot read, and why', () => {
    const text = 'A=1\nno equals sign\n2B=x\nset C=3\n=x\nA=2\nD="open\nE="a" b\nF="ok"';
    assert.deepEqual(problemsIn(text), [
      '2 noEqualsSign',
      '3 invalidName',
      '4 invalidName',
      '5 invalidName',
      '6 repeatedName',
      '7 notQuoted',
      '8 notQuoted',
    ]);
  });

  it('never has a value in a problem', () => {
    const text = 'no-equals-hunter2\n2B=hunter2\nA=1\nA=hunter2\nD="hunter2\nE_KEY=••••hunter2';
    assert.ok(!JSON.stringify(parseVariables(text, none)).includes('hunter2'));
  });

  it('are written in no time, however long a value is', () => {
    const started = process.cpuUsage();
    for (const piece of ['://', '://a:', '@://', '://@', 'PASS', 'x', ' ']) {
      formatVariables(new Map([['A', piece.repeat(200_000 / piece.length)]]), 'masked');
    }
    assert.ok(process.cpuUsage(started).user < limit(5_000_000));
  }).timeout(limit(20_000));
});
