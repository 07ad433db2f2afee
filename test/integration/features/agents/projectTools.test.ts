import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { CancellationError, CancellationTokenSource, commands } from 'vscode';
import type { Fault } from '../../../localPlatform/faults/fault';
import { credentials, webroot } from '../../../unit/localPlatform/vcsSetUp';
import { allowAgents, callOrFail, callTool, dataIn, fact, setAgentAccess } from '../../support/callTool';
import { gantry } from '../../support/gantry';
import { OpenRepository, withQuietGit } from '../../support/openRepository';
import { escape, Person } from '../../support/person';
import { inProduction } from '../../support/production';
import { commitOnDisk, inAHurry, maxPolls } from '../../support/projects';

describe('the tools for language models, on projects', () => {
  let at: OpenRepository;
  let person: Person;

  inAHurry();
  withQuietGit();
  beforeEach(async () => {
    at = await OpenRepository.start();
    await allowAgents({ production: ['shop'] });
    person = new Person();
  });
  afterEach(async () => {
    person.leave();
    await setAgentAccess(undefined);
    await at.end();
  });

  const project = { environment: 'shop', project: 'ROOT' };
  const updates = () => at.setUp.platform.journal.count(({ operation }) => operation === 'Update');

  it('show the deployed commit of each node, and redeploy with proof', async () => {
    await at.create();
    const first = await commitOnDisk(at.setUp, 0);
    const state = dataIn(await callTool('gantry_list_environments', { environment: 'shop' }));
    assert.equal(state.match(new RegExp(`: ${first ?? '?'}$`, 'gm'))?.length, 2, state);
    const second = await at.setUp.repository.commit({ message: 'second', files: { 'index.php': 'two\n' } });
    const result = await callTool('gantry_redeploy', project);
    assert.equal(fact(result, 'outcome'), 'deployed');
    assert.equal(dataIn(result).match(new RegExp(`: ${first ?? '?'} → ${second}$`, 'gm'))?.length, 2, result);
    assert.deepEqual([await commitOnDisk(at.setUp, 0), await commitOnDisk(at.setUp, 1)], [second, second]);
  });

  it('find a project that was created after the environments were listed', async () => {
    await (await gantry()).environments.of(at.account);
    await at.create();
    assert.match(await callTool('gantry_list_environments', { environment: 'shop' }), /"project":"ROOT"/);
  });

  it('wait only once for a platform that lists no environments', async () => {
    const { environments } = await gantry();
    // A view that is shown would list them, too.
    await commands.executeCommand('workbench.action.closeSidebar');
    const fault = { kind: 'refuse', result: 2, error: 'busy' } as const;
    at.setUp.platform.faults.add({ operation: 'GetEnvs', times: 'always', fault });
    environments.refresh();
    at.setUp.platform.journal.reset();
    assert.match(await callOrFail('gantry_list_environments', { environment: 'shop' }), /busy/);
    assert.equal(
      at.setUp.platform.journal.count(({ operation }) => operation === 'GetEnvs'),
      1,
    );
  });

  it('discard edits only if the person agrees, and never report a failed redeploy as deployed', async () => {
    await at.create({ autoResolveConflict: true });
    await at.edit('index.php', 'edited\n');
    at.setUp.platform.journal.reset();
    const refused = await person.answering([escape], () => callOrFail('gantry_redeploy', project));
    assert.match(refused, /^Nothing was redeployed: the user didn't agree\./);
    assert.match(person.seen.join('\n'), /index\.php/);
    assert.equal(updates(), 0);
    const discarded = await person.answering(['Redeploy and Discard Edits'], () =>
      callTool('gantry_redeploy', project),
    );
    assert.match(discarded, /^outcome: deployed/);
    assert.equal(await at.setUp.read(`${webroot}/ROOT/index.php`), 'one\n');
    at.setUp.platform.faults.add({ operation: 'Update', fault: { kind: 'refuse', result: 4000, error: 'no' } });
    assert.match(await callTool('gantry_redeploy', project), /^outcome: failed/);
  });

  it("don't redeploy if what would be lost has changed since the confirmation", async () => {
    await at.create({ autoResolveConflict: true });
    const never = new CancellationTokenSource().token;
    const input = project;
    const { agentTools } = await gantry();
    await agentTools.prepare('gantry_redeploy', input, never);
    await at.edit('index.php', 'edited\n');
    at.setUp.platform.journal.reset();
    await assert.rejects(
      agentTools.invoke('gantry_redeploy', input, never),
      /Nothing was redeployed: the state has changed since the user confirmed/,
    );
    assert.equal(updates(), 0);
    const { message } = (await agentTools.prepare('gantry_redeploy', input, never)).confirmationMessages ?? {};
    assert.match(typeof message === 'object' ? message.value : '', /index\.php/);
  });

  it("don't redeploy if the repository has changed since the confirmation", async () => {
    await at.create();
    const never = new CancellationTokenSource().token;
    const { agentTools } = await gantry();
    await agentTools.prepare('gantry_redeploy', project, never);
    await at.setUp.succeed('EditProject', { ...at.setUp.editWishes, url: `${at.setUp.url}/other.git` });
    at.setUp.platform.journal.reset();
    await assert.rejects(
      agentTools.invoke('gantry_redeploy', project, never),
      /Nothing was redeployed: the state has changed since the user confirmed/,
    );
    assert.equal(updates(), 0);
  });

  it("don't redeploy if the user stops them before it has started", async () => {
    await at.create();
    const { agentTools } = await gantry();
    const stopped = async (
      stop: (source: CancellationTokenSource, invoke: () => Promise<unknown>) => Promise<unknown>,
    ) => {
      const stopping = new CancellationTokenSource();
      await agentTools.prepare('gantry_redeploy', project, stopping.token);
      at.setUp.platform.journal.reset();
      await assert.rejects(
        stop(stopping, () => agentTools.invoke('gantry_redeploy', project, stopping.token)),
        CancellationError,
      );
      assert.equal(updates(), 0);
    };
    await stopped(async (stopping, invoke) => {
      const held = at.setUp.platform.faults.add({ operation: 'GetProject', fault: { kind: 'hang' } });
      const invoked = invoke();
      await held.reached;
      stopping.cancel();
      held.release();
      await invoked;
    });
    // The question is open when the user stops the agent, and is answered afterward.
    await inProduction(['shop'], () =>
      stopped((stopping, invoke) =>
        person.answering(['Redeploy'], () => {
          const listening = person.onDidSee(() => {
            listening.dispose();
            stopping.cancel();
          });
          return invoke();
        }),
      ),
    );
  });

  it('say so if another redeploy of the project started first', async () => {
    await at.create();
    const { faults, journal } = at.setUp.platform;
    const never = new CancellationTokenSource().token;
    const { agentTools } = await gantry();
    const { plans, redeploys } = at.parts;
    await agentTools.prepare('gantry_redeploy', project, never);
    journal.reset();
    const other = await plans.prepare({ place: at.place });
    const looking = faults.add({ operation: 'GetProject', fault: { kind: 'hang' } });
    const updating = faults.add({ operation: 'Update', fault: { kind: 'hang' } });
    const invoked = agentTools.invoke('gantry_redeploy', project, never);
    await looking.reached;
    const { ended } = redeploys.start(other);
    await updating.reached;
    looking.release();
    const refused = assert.rejects(invoked, /Another redeploy of ROOT started first\. Check the deployed commit\./);
    updating.release();
    await ended;
    await refused;
    assert.equal(updates(), 1);
  });

  it('return no secret of the project or the account, whatever fails', async () => {
    await at.create();
    const secrets = [
      credentials.password,
      encodeURIComponent(credentials.password),
      (await (await gantry()).accounts.stored(at.account.slug))?.token ?? '',
    ];
    const error = `cannot reach https://marit:${secrets[1] ?? ''}@git.example/tea.git with session ${secrets[2] ?? ''}`;
    const refusal: Fault = { kind: 'refuse', result: 4000, error, when: 'before' };
    const page: Fault = {
      kind: 'answer',
      status: 500,
      contentType: 'text/html',
      when: 'before',
      body: `<html>${error}</html>`,
    };
    const cases: readonly (readonly [operation: string, fault: Fault])[] = [
      ['GetProject', refusal],
      ['GetProject', page],
      ['Update', refusal],
      ['Update', { kind: 'nestedFailure', shape: 'responses', result: 4000, error, when: 'after' }],
      ['*', page],
      // The last one, because it signs the account out.
      ['*', { ...refusal, result: 702 }],
    ];
    for (const [operation, fault] of cases) {
      for (const name of ['gantry_list_environments', 'gantry_redeploy'] as const) {
        at.setUp.platform.faults.clear();
        at.setUp.platform.faults.add({ operation, fault, times: 'always' });
        const result = await callOrFail(name, project);
        for (const secret of secrets) assert.ok(!result.includes(secret), `${operation}, ${fault.kind}: ${result}`);
      }
    }
    at.setUp.platform.faults.clear();
  });

  it('name no project that the person lets no tool read, and ask before a redeploy says something of production', async () => {
    await at.create();
    await setAgentAccess(undefined);
    const { accounts } = await gantry();
    const token = (await accounts.stored(at.account.slug))?.token ?? '';
    await accounts.remove(at.account.slug);
    await accounts.add({
      slug: at.account.slug,
      label: 'A',
      address: at.setUp.platform.origin,
      transport: 'form',
      token,
    });
    await setAgentAccess('readAndWrite');
    for (const words of [
      { ...project, account: 'nobody' },
      { ...project, project: 'none' },
    ]) {
      const answer = await person.answeringBy(
        () => escape,
        () => callOrFail('gantry_redeploy', words),
      );
      assert.ok(!answer.includes('ROOT'), answer);
    }
    await setAgentAccess('read');
    await allowAgents();
    at.setUp.platform.journal.reset();
    await inProduction(['shop'], async () => {
      const answer = await person.answering([escape], () => callOrFail('gantry_redeploy', project));
      assert.match(answer, /^The user doesn't let agents read Saltmarsh Tea\./);
    });
    assert.equal(updates(), 0);
  });

  it("don't redeploy if agents are turned off while Gantry asks", async () => {
    await at.create();
    at.setUp.platform.journal.reset();
    await inProduction(['shop'], async () => {
      const answer = await person.answeringBy(
        () => ({ presses: 'Redeploy', when: setAgentAccess('read') }),
        () => callOrFail('gantry_redeploy', project),
      );
      assert.match(answer, /Nothing was changed: agents may only read/);
    });
    assert.equal(updates(), 0);
  });

  it("don't call a redeploy made or not made whose answer doesn't come", async () => {
    await at.create();
    const { pace } = (await gantry()).projects;
    pace.limit = maxPolls.few;
    at.setUp.platform.faults.add({ operation: 'Update', fault: { kind: 'reset', when: 'before' } });
    assert.match(await callOrFail('gantry_redeploy', project), /^outcome: unverified/);
    pace.limit = maxPolls.many;
  });

  it('ask in production, and answer an unknown project with those that exist', async () => {
    await at.create();
    at.setUp.platform.journal.reset();
    await inProduction(['shop'], () =>
      person.answering([escape], async () => {
        const answer = await callOrFail('gantry_redeploy', project);
        assert.match(answer, /^Nothing was redeployed: the user didn't agree/);
      }),
    );
    assert.equal(updates(), 0);
    assert.match(
      await callOrFail('gantry_redeploy', { ...project, project: 'none' }),
      /These exist: .+"project":"ROOT"/,
    );
  });
});
