import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import manifest from '../../package.json';
import words from '../../package.nls.json';
import { commandIds } from '../host/commandIds';
import { commandsOf } from '../../src/commands';
import { toolNames, viewIds } from '../../src/manifest';
import { projectFolder } from '../host/folders';

describe('the manifest', () => {
  it('declares exactly the commands in the code', () => {
    assert.deepEqual(manifest.contributes.commands.map(({ command }) => command).sort(), [...commandIds].sort());
  });

  it('declares only commands and views that exactly one feature registers', () => {
    const src = join(projectFolder, 'src');
    const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    const texts = files.map((name) => readFileSync(join(src, name), 'utf8'));
    const registered = (pattern: RegExp) =>
      texts.flatMap((text) => [...text.matchAll(pattern)].map(([, id = '']) => id));
    const named = registered(/\bgantry\.(?:add\(\{\s*id: |addCommands\()'(\w+)'/g);
    assert.deepEqual(named.filter((name) => name in commandsOf).sort(), Object.keys(commandsOf).sort());
    assert.equal(new Set(commandIds).size, commandIds.length);
    assert.deepEqual(registered(/\bview: \{\s*id: '(.*?)'/g).sort(), [...viewIds].sort());
  });

  it('declares exactly the views in the code', () => {
    const declared = Object.values(manifest.contributes.views).flat();
    assert.deepEqual(declared.map(({ id }) => id).sort(), [...viewIds].sort());
  });

  it('declares exactly the tools in the code, with a description for models and one for people', () => {
    const texts: Readonly<Record<string, string>> = words;
    const tools = manifest.contributes.languageModelTools;
    assert.deepEqual(
      tools.map(({ name }) => name),
      toolNames,
    );
    for (const { name, toolReferenceName, displayName, userDescription, modelDescription } of tools) {
      assert.equal(
        toolReferenceName,
        name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
      );
      for (const key of [displayName, userDescription]) assert.ok(texts[key.slice(1, -1)], key);
      assert.match(modelDescription, /^\p{Lu}.{40,650}\.$/u);
    }
  });

  it('gives every command a title, a category, and an icon', () => {
    for (const { command, title, category, icon } of manifest.contributes.commands) {
      assert.match(title, /^%command\..+%$/, command);
      assert.match(category, /^(Gantry|%category\.advanced%)$/, command);
      assert.match(icon, /^\$\([a-z-]+\)$/, command);
    }
  });

  it('names commands in plain words, because IDs appear in Keyboard Shortcuts', () => {
    const odd = commandIds.filter((id) => /(readAgain|tell|look|forget|trying)/i.test(id));
    assert.deepEqual(odd, []);
  });

  it('shows only commands in the palette whose titles say what they act on', () => {
    const texts: Readonly<Record<string, string>> = words;
    const hidden = manifest.contributes.menus.commandPalette.flatMap((item) =>
      item.when === 'false' ? [item.command] : [],
    );
    const bare = manifest.contributes.commands
      .filter(({ command, title }) => !hidden.includes(command) && /^\S+$/.test(texts[title.slice(1, -1)] ?? ''))
      .map(({ command }) => command);
    // The first asks for the project; the other acts on the open file, as VS Code's own command does.
    assert.deepEqual(bare, ['gantry.project.redeploy', 'gantry.file.download']);
  });

  it('declares no proposed APIs, which only built-in extensions may use', () => {
    assert.ok(!('enabledApiProposals' in manifest));
  });

  it('names only commands and submenus that exist in its menus', () => {
    const known: readonly string[] = [...commandIds, ...manifest.contributes.submenus.map(({ id }) => id)];
    for (const [menu, items] of Object.entries(manifest.contributes.menus)) {
      for (const item of items) {
        const named = 'command' in item ? item.command : item.submenu;
        assert.ok(known.includes(named), `${menu}: ${named}`);
      }
    }
  });

  it("doesn't let a workspace choose where secrets are sent, and supports untrusted workspaces", () => {
    const properties: Readonly<Record<string, { readonly scope?: string }>> =
      manifest.contributes.configuration.properties;
    for (const setting of ['platforms', 'transport', 'networkStack', 'allowPlainHttp', 'requestTimeouts']) {
      assert.equal(properties[`gantry.${setting}`]?.scope, 'machine', setting);
    }
    assert.equal(manifest.capabilities.untrustedWorkspaces.supported, true);
  });
});
