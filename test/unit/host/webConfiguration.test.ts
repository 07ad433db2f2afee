import assert from 'node:assert/strict';
import { addToConfiguration } from '../../host/vscode/webConfiguration';

const page = (settings: string): string =>
  `<html><meta id="vscode-workbench-web-configuration" data-settings="${settings}"><p data-settings="{}"></p></html>`;

describe('the configuration in the page of VS Code', () => {
  it('gets development options beside what it holds', () => {
    const before = page(
      '{&quot;a&quot;:&quot;x &amp;amp; y&quot;,&quot;developmentOptions&quot;:{&quot;logLevel&quot;:1}}',
    );
    assert.equal(
      addToConfiguration(before, { extensions: [] }),
      page(
        '{&quot;developmentOptions&quot;:{&quot;logLevel&quot;:1,&quot;extensions&quot;:[]},&quot;a&quot;:&quot;x &amp;amp; y&quot;}',
      ),
    );
  });

  it('is refused where the page holds none, because VS Code must have changed', () => {
    assert.throws(() => addToConfiguration('<html></html>', {}), /no configuration/);
  });
});
