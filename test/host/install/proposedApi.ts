import { type TextReplacement } from './replaceInFiles';

/** Matches a name in minified code. */
const name = String.raw`[\w$]+`;
/** Matches code-server's `isProposedApiEnabled`. VS Code's own `checkProposedApiEnabled`, which follows and calls it, identifies it. */
const allowsEverything = new RegExp(
  String.raw`function (${name})\((${name}),(${name})\)\{return!0\}` +
    String.raw`(?=function ${name}\(\2,\3\)\{if\(!\1\(\2,\3\)\)throw new Error\(` +
    String.raw`\x60Extension '\$\{\2\.identifier\.value\}' CANNOT use API proposal: )`,
  'g',
);
const allowsDeclaredOnly = 'function $1($2,$3){return!!$2.enabledApiProposals?.includes($3)}';
/** Matches the flag that lets every extension, not only built-in ones, use the proposed APIs that it declares. */
const keepsEveryDeclaration = new RegExp(
  String.raw`(\.extensionEnabledProposedApi\?\?\[\]\)\.map\(${name}=>${name}\.toKey\(${name}\)\)\),this\.${name}=)!0(?=,)`,
  'g',
);

/**
 * Restores VS Code's own rule for proposed APIs, which code-server allows to every extension: an extension may use only
 * the proposed APIs that its package.json declares, and the window ignores the declaration unless the extension is built in.
 */
export const proposedApiReplacements: readonly TextReplacement[] = [
  {
    file: 'vs/workbench/api/node/extensionHostProcess.js',
    find: allowsEverything,
    replaceWith: allowsDeclaredOnly,
  },
  { file: 'vs/code/browser/workbench/workbench.js', find: allowsEverything, replaceWith: allowsDeclaredOnly },
  {
    file: 'vs/code/browser/workbench/workbench.js',
    find: keepsEveryDeclaration,
    replaceWith: '$1!1',
  },
];
