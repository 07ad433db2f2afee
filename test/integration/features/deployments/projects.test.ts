import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { gantry, signedIn } from '../../support/gantry';
import { endPeopledProject, type PeopledProject, startPeopledProject, wantedFrom } from '../../support/projects';

describe('projects', () => {
  let at: PeopledProject;

  beforeEach(async () => {
    at = await startPeopledProject();
    await at.parts.projectOperations.create(at.place, wantedFrom(at.setUp));
  });
  afterEach(() => endPeopledProject(at));

  it('stay forgotten if a response arrives after they were deleted', async () => {
    const { projects } = at.parts;
    const late = at.setUp.platform.faults.add({ operation: 'GetProject', fault: { kind: 'hang', when: 'after' } });
    const older = projects.read(at.place);
    await late.reached;
    await projects.forget(at.place);
    late.release();
    await older;
    assert.equal(projects.last(at.place), undefined);
  });

  it('are read again after their account was signed out and in again', async () => {
    const { projects } = at.parts;
    await projects.lastOrRead(at.place);
    await (await gantry()).accounts.remove(at.account.slug);
    const { slug } = await signedIn(at.setUp.platform);
    assert.equal(slug, at.account.slug);
    assert.equal(projects.last(at.place), undefined);
  });
});
