import assert from 'node:assert/strict';
import { limit } from '../../host/limits';
import { terminalText } from '../../../src/ui/terminalText';

const escape = '\u001b';

describe('untrusted text in a terminal', () => {
  const driving: readonly [what: string, text: string][] = [
    ['clears the screen', `${escape}[2J`],
    ['moves the cursor', `${escape}[10;1H${escape}[3A`],
    ['sets the title', `${escape}]0;mine\u0007`],
    ['makes a link', `${escape}]8;;https://evil.example${escape}\\`],
    ['writes to the clipboard', `${escape}]52;c;cm0gLXJm\u0007`],
    ['queries the terminal', `${escape}[6n${escape}[c${escape}[>q`],
    ['controls VS Code', `${escape}]633;E;rm -rf\u0007`],
    ['sends a device string', `${escape}P+q544e${escape}\\`],
    ['resets the terminal', `${escape}c`],
    ['switches the character set', `${escape}(0`],
    ['uses C1 control characters', '\u009b2J\u009d0;mine\u009c\u0090x\u009c'],
    ['rings the bell or moves the cursor back', '\u0007\u0008\u0008\u000b\u000c\u007f'],
    ['hides text', `${escape}[8m${escape}[1;8m${escape}[31:8m`],
  ];
  for (const [what, text] of driving) {
    it(`never ${what}`, () => assert.equal(terminalText(`before ${text}after`), 'before after'));
  }

  it('loses only the escape character if a sequence does not end', () => {
    assert.equal(terminalText(`${escape}]0;title and all the rest of the log`), ']0;title and all the rest of the log');
    assert.equal(terminalText(`end ${escape}`), 'end ');
    assert.equal(terminalText(`end ${escape}[12`), 'end [12');
  });

  it('never forms a new sequence by removing another', () => {
    assert.ok(!terminalText(`${escape}${escape}[2J[2J`).includes(`${escape}[2J`));
    assert.ok(!terminalText(`${escape}\u0007[2J`).includes(escape));
  });

  it('keeps colors, and resets them at the end', () => {
    const red = `${escape}[31mred`;
    assert.equal(terminalText(red), `${red}${escape}[0m`);
    assert.equal(terminalText('\u009b1;32mok'), `${escape}[1;32mok${escape}[0m`);
  });

  it('keeps lines separate whatever their line endings, and overwrites none', () => {
    assert.equal(terminalText('a\nb\r\nc\t1%\r2%'), 'a\r\nb\r\nc\t1%\r\n2%');
  });

  it('takes linear time', () => {
    const begin = process.cpuUsage();
    for (const piece of [`${escape}]`, `${escape}[1`, '\u009b', `${escape}[1;`, '1;'])
      terminalText(piece.repeat(500_000));
    const { user, system } = process.cpuUsage(begin);
    assert.ok(user + system < limit(3_000) * 1000, `it took ${(user + system) / 1000} ms`);
  });
});
