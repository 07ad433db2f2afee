import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { fittingFields, hookExample, technologyOf } from '../../../../../src/features/deployments/settings/technology';

const layer = (...types: readonly (string | undefined)[]) => ({
  nodes: types.map((type, id) => ({
    id,
    name: 'node',
    type,
    isMaster: id === 0,
    takesProjects: true,
    contextPattern: undefined,
    singleContext: false,
    address: undefined,
  })),
});

describe('the technology of a layer', () => {
  it('is found in what the platform calls its software', () => {
    const found = {
      nginxphp: 'php',
      apache2: undefined,
      'apache2-php': 'php',
      llsmp: 'php',
      litespeedphp: 'php',
      nodejs: 'nodejs',
      'nodejs-pm2': 'nodejs',
      nginxruby: 'ruby',
      'apache2-ruby': 'ruby',
      'apache-python': 'python',
      tomcat10: 'java',
      springboot: 'java',
      glassfish: 'java',
      maven3: 'java',
      nginx: undefined,
      mysql: undefined,
    };
    for (const [stack, technology] of Object.entries(found)) {
      assert.equal(technologyOf(layer(stack)), technology, stack);
    }
  });

  it("isn't known without nodes or their types", () => {
    assert.equal(technologyOf(layer()), undefined);
    assert.equal(technologyOf(layer(undefined)), undefined);
    assert.equal(technologyOf(layer(undefined, 'nginxphp')), 'php');
  });

  it('makes the update replace files that the application itself changes', () => {
    assert.deepEqual(fittingFields('nodejs', 2), { autoResolveConflict: true });
    assert.deepEqual(fittingFields('php', 2), {}, 'edits in the container are kept');
    assert.deepEqual(fittingFields(undefined, 2), {});
  });

  it('makes several Java nodes restart one after the other', () => {
    assert.equal(fittingFields('java', 2).delay, 30);
    assert.equal(fittingFields('java', 1).delay, undefined);
  });

  it('has an example for the post-deploy hook, commented out and in the project folder', () => {
    assert.equal(hookExample('postDeploy', 'php', 'ROOT'), '# cd /var/www/webroot/ROOT && composer install --no-dev\n');
    assert.equal(hookExample('postDeploy', 'nodejs', 'shop'), '# cd /home/jelastic/shop && npm ci --omit=dev\n');
    assert.equal(hookExample('preDeploy', 'php', 'ROOT'), undefined);
    assert.equal(hookExample('postDeploy', undefined, 'ROOT'), undefined);
  });
});
