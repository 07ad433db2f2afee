import { type Page } from 'playwright-core';
import { type VsCode } from './startVsCode';

/**
 * Adds an extension under development to VS Code's options. VS Code in the browser reads its options from a meta element
 * of its page, and the page's URL can't name such an extension. So this changes the element before VS Code's own script,
 * which follows it, reads it. Changing the response instead would turn off the browser's cache.
 */
export async function withDevelopmentOptions(page: Page, vscode: VsCode, tests: string | undefined): Promise<void> {
  const { extension, alongside = [] } = vscode.options;
  const developed = [...(extension !== undefined && 'folder' in extension ? [extension.folder] : []), ...alongside];
  if (developed.length === 0 && tests === undefined) return;

  const { host } = new URL(vscode.origin);
  const remote = (path: string): object => ({ scheme: 'vscode-remote', authority: host, path: uriPath(path) });
  const added = {
    ...(developed.length === 0 ? {} : { extensions: developed.map(remote) }),
    ...(tests === undefined ? {} : { extensionTestsPath: remote(tests) }),
  };
  await page.addInitScript(`(${addToConfiguration})(${JSON.stringify(added)})`);
}

/** Runs in the page before the page's own scripts. */
const addToConfiguration = `(added) => {
  const observer = new MutationObserver(() => {
    const element = document.getElementById('vscode-workbench-web-configuration');
    if (element === null) return;
    observer.disconnect();
    const options = JSON.parse(element.dataset.settings);
    const developmentOptions = { ...options.developmentOptions, ...added };
    element.dataset.settings = JSON.stringify({ ...options, developmentOptions });
  });
  observer.observe(document, { childList: true, subtree: true });
}`;

/** Formats a path for a URI, with forward slashes and one before a drive letter. */
function uriPath(path: string): string {
  const forward = path.replaceAll('\\', '/');
  return forward.startsWith('/') ? forward : `/${forward}`;
}
