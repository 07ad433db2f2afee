import { type Page } from 'playwright-core';
import { type VsCode } from './startVsCode';

/**
 * VS Code in the browser reads its options from a meta element of the page, and no address of it can name an extension under development:
 * so the page is changed on its way to the browser.
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
  await page.route(
    (url) => url.host === host && url.pathname === '/',
    async (route) => {
      const response = await route.fetch({ maxRedirects: 0 });
      await route.fulfill({ response, body: addToConfiguration(await response.text(), added) });
    },
  );
}

const configuration = /(id="vscode-workbench-web-configuration" data-settings=")([^"]*)"/;

export function addToConfiguration(html: string, developmentOptions: object): string {
  if (!configuration.test(html)) throw new Error('The page of VS Code holds no configuration where one is expected.');
  return html.replace(configuration, (_, head: string, escaped: string) => {
    const parsed: unknown = JSON.parse(escaped.replaceAll('&quot;', '"').replaceAll('&amp;', '&'));
    const before = { developmentOptions: {}, ...(parsed as object) };
    const after = { ...before, developmentOptions: { ...before.developmentOptions, ...developmentOptions } };
    return `${head}${JSON.stringify(after).replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`;
  });
}

/** As in a URI: forward slashes, and one before a drive letter. */
function uriPath(path: string): string {
  const forward = path.replaceAll('\\', '/');
  return forward.startsWith('/') ? forward : `/${forward}`;
}
