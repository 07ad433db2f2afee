import assert from 'node:assert/strict';
import { readAnswer } from '../readAnswer';

describe('responses about projects', () => {
  it('every field can be missing', async () => {
    assert.deepEqual(JSON.parse(JSON.stringify(await readAnswer('GetProject', {}))), {});
    const project = await readAnswer('GetProject', { type: 'GIT(1)', autoupdate: 'true', interval: 5, project: {} });
    assert.equal(project.type, 'GIT');
    assert.equal(project.autoupdate, true);
    assert.equal(project.interval, '5');
    assert.equal(project.project, undefined);
  });
});
