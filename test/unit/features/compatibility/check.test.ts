import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { CheckResult } from '../../../../src/compatibility/compatibilityStore';
import { redactedReport } from '../../../../src/features/compatibility/report';
import { type Behaviour, behaviourSchema, usualBehaviour } from '../../../localPlatform/behaviour';
import { SeededRandom } from '../../../soak/seededRandom';
import { limit } from '../../../host/limits';
import { isNightly } from '../../../host/nightly';
import { CheckStage, envName, parent } from './checkStage';

type Switch = keyof Behaviour;
type Facts = CheckResult['facts'];

const combinations = isNightly() ? 100 : 20;

/** Without files that only one node has, some platforms look like one whose nodes share the folder. */
const oneNodeWords = {
  honored: 'honored',
  onlyReads: 'sameFolder',
  mainChanges: 'ignored',
  checked: 'sameFolder',
  ignored: 'ignored',
} as const satisfies Record<Behaviour['nodeIds'], Facts['oneNode']>;

/** What the check finds for a value of a switch, by the fact's name. Most facts are called like their switch. */
const factsOf: Readonly<Partial<Record<Switch, (value: never) => Facts>>> = {
  transport: (transport: Behaviour['transport']) => ({ transport }),
  requests: (spelling: Behaviour['requests']) => ({ spelling }),
  fileTimes: (fileTimes: Behaviour['fileTimes']) => ({ fileTimes }),
  accountTimes: (accountTimes: Behaviour['accountTimes']) => ({ accountTimes }),
  listingKeys: (listingKeys: Behaviour['listingKeys']) => ({ listingKeys }),
  listingSelf: (listingSelf: Behaviour['listingSelf']) => ({ listingSelf }),
  permissionForm: (permissionForm: Behaviour['permissionForm']) => ({ permissionForm }),
  filter: (filter: Behaviour['filter']) => ({ filter }),
  filteredFolders: () => ({}),
  renameAcrossFolders: (renameAcrossFolders: Behaviour['renameAcrossFolders']) => ({ renameAcrossFolders }),
  existingTarget: (target: Behaviour['existingTarget']) => {
    const word = target === 'refused' ? 'refused' : 'overwrites';
    return { renameOnto: word, copyOnto: word };
  },
  overwriting: (overwriting: Behaviour['overwriting']) => ({ overwriting }),
  masterOnly: (masterOnly: Behaviour['masterOnly']) => ({ masterOnly }),
  nodeIds: (nodeIds: Behaviour['nodeIds']) => ({
    oneNode: oneNodeWords[nodeIds],
    // Nothing shows these then.
    ...(nodeIds === 'honored' ? {} : { masterOnly: undefined, nodeFailures: undefined }),
  }),
  lengths: (lengths: Behaviour['lengths']) => ({ lengths }),
  appendMode: (appendMode: Behaviour['appendMode']) => ({ appendMode }),
  readTexts: (readTexts: Behaviour['readTexts']) => ({ readTexts }),
  nodeFailures: (nodeFailures: Behaviour['nodeFailures']) => ({ nodeFailures }),
  tokenLists: (tokenLists: Behaviour['tokenLists']) => ({ tokenLists }),
  methodLists: (methodLists: Behaviour['methodLists']) => ({ methodLists }),
  privateMethods: (privateMethods: Behaviour['privateMethods']) => ({ privateMethods }),
  enums: (enums: Behaviour['enums']) => ({ enums }),
  extras: (extras: Behaviour['extras']) => ({ environmentList: extras, uploader: extras }),
  urlLength: (length: number) => ({ urlLength: length < 2048 ? 'shorter' : 'documented' }),
};

/** Switches that no check may touch, each with the reason. */
const notChecked: Readonly<Partial<Record<Switch, string>>> = {
  secondFactor: 'shows only in a sign-in with a password, which handles each form itself',
  deleteTokens: 'would delete a token',
  unsentProjectFields: "would change a project; Gantry sends every field, so it doesn't matter",
  pinnedCommits: 'would redeploy a project; Gantry looks at the deployed commit afterwards',
  logUnits: 'shows only in a log, which is read the same way whatever it counts',
  logStart: 'shows only in a log, which is read the same way wherever it starts',
  addedVariables: 'would change variables; Gantry reads back what the platform then has',
  restartWords: 'shows only in a failed restart; Gantry reads both',
  stoppedServices: 'shows only in a failed restart; Gantry looks at the node only if the response was lost',
  logRotation: 'shows only in a log, which is read anew after either',
  restartSeconds: 'only lengthens restarts',
  environmentOwner: 'only saves a question about the user ID',
  sessionSeconds: 'only shortens tests',
  pollingSpeed: 'only shortens tests',
  readBytes: 'shows only in a file of that size; Gantry compares the text with the listed length',
  hookFiles: 'shows only in the files of a saved hook; Gantry remembers what a node had before',
  deployments: 'shows only in a redeploy, which the check never starts',
  pullFailures: 'shows only in a redeploy, which the check never starts',
  deployLogs: 'shows only on a node that something was deployed to',
  unsentAutoResolve: 'shows only in a new project; Gantry always sends the field',
  repositoryPasswords: 'shows only in files that the check never reads',
  hookRights: 'shows only on a node whose project has hooks',
  deletedHooks: 'shows only after a project was deleted',
  hookSeconds: 'only shortens tests',
  checkoutSeconds: 'only shortens tests',
  bodyBytes: 'would need a request of that size; such a save fails before it changes anything',
};

const switches = Object.keys(usualBehaviour).filter((name): name is Switch => name in usualBehaviour);
const checked = switches.filter((name) => name in factsOf);

function valuesOf(name: Switch): readonly (string | number)[] {
  const schema = behaviourSchema.entries[name];
  return 'options' in schema ? schema.options : name === 'urlLength' ? [1024, 2048] : [];
}

function pickOf<T>(random: SeededRandom, [first, ...others]: readonly T[]): T | undefined {
  return first === undefined ? undefined : random.pick([first, ...others]);
}

function expectedFacts(behaviour: Behaviour): Facts {
  const last = [...checked.filter((name) => name !== 'nodeIds'), 'nodeIds'] as const;
  return Object.assign({}, ...last.map((name) => factsOf[name]?.(behaviour[name] as never))) as Facts;
}

describe('the compatibility check', () => {
  let stage: CheckStage;

  before(async () => {
    stage = await CheckStage.start();
  });

  after(() => stage.dispose());

  const transportFor = ({ transport }: Behaviour) => (transport === 'query' ? 'query' : 'form');

  async function check(behaviour: Partial<Behaviour>) {
    stage.behave(behaviour);
    const transport = transportFor({ ...usualBehaviour, ...behaviour });
    const read = await stage.read(transport);
    assert.deepEqual(stage.changes(), [], 'changed something before the yes');
    const { result, left, error } = await stage.write(read, { transport });
    assert.equal(error, undefined, String(error));
    assert.deepEqual(left, []);
    assert.deepEqual(await stage.onDisk(), [], 'left something behind');
    return result;
  }

  function assertFacts(found: Facts, behaviour: Partial<Behaviour>) {
    const wanted = expectedFacts({ ...usualBehaviour, ...behaviour });
    // With parameters only in the body, the length of a URL doesn't matter.
    const { urlLength, ...others } = wanted;
    const expected = behaviour.transport === 'form' ? others : { ...others, urlLength };
    for (const [name, word] of Object.entries(expected)) {
      assert.equal((found as Record<string, unknown>)[name], word, name);
    }
  }

  function assertRedacted(report: string) {
    const { platform, token } = stage;
    const secrets = [token, envName, parent, platform.origin, new URL(platform.origin).port, platform.sample.email];
    const names = ['handover', 'secretive', 'gantry-check-', '/etc/hostname', platform.sample.password, 'anna'];
    const ids = platform.nodes(envName).map(({ id }) => String(id));
    const bytes = Buffer.from(report);
    for (const value of [...secrets, ...names, ...ids]) {
      assert.equal(bytes.indexOf(value), -1, `the report contains ${value}`);
    }
  }

  it('knows every switch of the local platform', () => {
    assert.deepEqual(
      switches.filter((name) => !(name in factsOf) && !(name in notChecked)),
      [],
    );
  });

  for (const name of checked) {
    for (const value of valuesOf(name)) {
      it(`finds ${name}: ${value}`, async () => {
        const behaviour: Partial<Behaviour> = { [name]: value };
        assertFacts((await check(behaviour)).facts, behaviour);
      });
    }
  }

  it(`finds each quirk in ${combinations} combinations of switches`, async () => {
    for (let seed = 1; seed <= combinations; seed += 1) {
      const random = new SeededRandom(seed);
      const chosen = checked.map((name) => [name, pickOf(random, valuesOf(name))] as const);
      const behaviour = Object.fromEntries(chosen) as Partial<Behaviour>;
      // Requests in URLs of half the documented length can't even list a folder reliably.
      const possible = behaviour.transport === 'query' ? { ...behaviour, urlLength: 2048 } : behaviour;
      try {
        const result = await check(possible);
        assertFacts(result.facts, possible);
        assertRedacted(redactedReport(result, '1.0.0'));
      } catch (error) {
        throw new Error(`seed ${seed}: ${JSON.stringify(possible)}`, { cause: error });
      }
    }
  }).timeout(limit(90_000));
});
