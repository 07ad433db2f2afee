import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import manifest from '../../../package.json';
import { menus } from '../../oracle/menus';
import { itemsIn, menuItems } from '../manifest/menuItems';

describe("the oracle's menus", () => {
  const page = menus();
  /** The lines below all headings that begin with a text. */
  const below = (start: string) =>
    [...page].flatMap(([section, lines]) => (section.startsWith(start) ? lines : [])).join('\n');
  const sectionsOf = (menu: string) => ({ 'view/item/context': 'rows of', 'view/title': 'title of' })[menu] ?? menu;

  it('offer every item of every menu somewhere, so that each condition is tried', () => {
    // The items of submenus of rows and files are in the sections of these.
    const inOthers = (menu: string) => menu.startsWith('gantry.') && !page.has(menu);
    for (const [menu, items] of menuItems.filter(([name]) => name !== 'commandPalette')) {
      const text = below(inOthers(menu) ? 'rows of' : sectionsOf(menu));
      for (const { command, submenu = '', group = '' } of items) {
        if (inOthers(submenu)) continue;
        const parent = inOthers(menu) ? `${menu} › ` : '';
        const name = `${parent}${command ?? `submenu ${submenu}`}`.replace(/gantry\./g, '');
        const shown = new RegExp(
          `(: |, |\\+ )${group.startsWith('inline') ? 'inline ' : ''}${name.replaceAll('.', '\\.')}(,|$)`,
          'm',
        );
        assert.ok(shown.test(text), `${menu}: ${name}`);
      }
    }
  });

  it('offer every key, and every command of the palette that is not hidden', () => {
    for (const { key, mac, command } of manifest.contributes.keybindings) {
      const line = below('keys');
      assert.ok(line.includes(`${key} ${command}`) && line.includes(`(macOS: ${mac})`), command);
    }
    const hidden = itemsIn('commandPalette').filter(({ when }) => when === 'false');
    for (const { command } of manifest.contributes.commands) {
      const isHidden = hidden.some((item) => item.command === command);
      const name = new RegExp(`(: |, |\\+ )${command.replace('gantry.', '').replaceAll('.', '\\.')}(,|$)`, 'm');
      assert.equal(name.test(below('palette')), !isHidden, command);
    }
  });

  it('list the commands of the palette by their names, so that their order in the manifest makes no difference', () => {
    const [, names = ''] = /^usually: (.+)$/m.exec(below('palette')) ?? [];
    assert.ok(names.includes('account.renewToken, account.signIn'));
    assert.deepEqual(names.split(', '), names.split(', ').sort());
  });

  it('say what a word of a row changes, and two words together', () => {
    const rows = page.get('rows of gantry.environments') ?? [];
    assert.ok(
      rows.includes(
        'file with archive noUnpackById: − version.history, + compare › version.history, + unpack › archive.unpackOnType',
      ),
    );
    assert.ok(rows.includes('folder with noCreate noWrite: − inline file.create, − file.create, − folder.create'));
    assert.ok(!rows.some((line) => line.startsWith('folder with noWrite')), 'alone, it changes nothing');
  });
});
