import fc from 'fast-check';
import { vendorDeployments } from '../localPlatform/behaviour';
import { SvnRepository } from '../localPlatform/vcs/svnRepository';
import { assertClaims } from './projectClaims';
import { performStep, type Step, step } from './projectSteps';
import { ProjectUnderTest } from './projectUnderTest';
import { fastCheckSeed } from './seededRandom';
import type { SoakTest } from './soakTest';

/** Random changes of a project, with real Git: every node has what Gantry says, and can pull. */
export const redeploySequences: SoakTest = {
  name: 'redeploys',
  concurrency: 1,
  timeLimit: 90_000,
  setUp: async () => {
    const hasSubversion = await SvnRepository.isPossible();
    return { runCase: (seed) => checkSequence(seed, hasSubversion), dispose: () => Promise.resolve() };
  },
};

const platforms = {
  'that deploys the commit in the settings': { isPinSeen: false, behaviour: {} },
  'that was seen to deploy the commit in the settings': { isPinSeen: true, behaviour: {} },
  'that ignores the commit in the settings': { isPinSeen: false, behaviour: { pinnedCommits: 'ignored' } },
  "with the vendor's code": { isPinSeen: false, behaviour: vendorDeployments },
} as const;

const sequences = fc.record({
  platform: fc.constantFrom(...(Object.keys(platforms) as (keyof typeof platforms)[])),
  type: fc.constantFrom('GIT' as const, 'GIT' as const, 'GIT' as const, 'GIT' as const, 'SVN' as const),
  environment: fc.constantFrom('blog' as const, 'shop' as const, 'shop' as const),
  zdt: fc.constantFrom(true, false, false),
  knowsNext: fc.boolean(),
  autoResolveConflict: fc.boolean(),
  opensClone: fc.constantFrom(true, true, false),
  steps: fc.array(step, { minLength: 4, maxLength: 10 }),
});

/** The time limit for shrinking a failed sequence, in milliseconds. */
const shrinkLimit = 45_000;

async function checkSequence(seed: number, hasSubversion: boolean): Promise<void> {
  const performed: Step[] = [];
  const property = fc.asyncProperty(fc.noBias(sequences), async ({ platform, steps, opensClone, type, ...options }) => {
    performed.splice(0);
    const repository = { type: hasSubversion ? type : 'GIT' } as const;
    const at = await ProjectUnderTest.start({ ...options, ...repository, ...platforms[platform] });
    try {
      for (const one of opensClone ? [{ do: 'openClone' } as const, ...steps] : steps) {
        performed.push(one);
        await checkStep(one, at);
      }
    } finally {
      await at.end();
    }
  });
  const parameters = { numRuns: 1, seed: fastCheckSeed(seed), interruptAfterTimeLimit: shrinkLimit };
  await fc.assert(property, parameters).catch((error: unknown) => {
    throw new Error(`The last steps: ${fc.stringify(performed)}`, { cause: error });
  });
}

async function checkStep(one: Step, at: ProjectUnderTest): Promise<void> {
  const { parts, place, repository, setUp } = at;
  const updates = () => setUp.platform.journal.count(({ operation }) => operation === 'Update');
  at.beginStep();
  const [before, tipsBefore, earlier] = await Promise.all([at.states(), repository.tips(), parts.history.of(place)]);
  const updatesBefore = updates();
  await performStep(one, at);
  const [after, tips, records] = await Promise.all([at.states(), repository.tips(), parts.history.of(place)]);
  const ids = new Set(earlier.map(({ id }) => id));
  await assertClaims(at, {
    step: one,
    before: at.between ?? before,
    after,
    tipsBefore,
    tips,
    updates: updates() - updatesBefore,
    record: records.find(({ id }) => !ids.has(id)),
  });
}
