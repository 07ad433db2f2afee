import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { QuickPickItemKind } from 'vscode';
import { askInTurn, type Entered, type Question, suggestionQuestion } from '../../../src/ui/prompts';
import { type Answer, enter, escape, Person } from '../support/person';

const branches = ['main', 'release'].map((value) => ({ label: value, value }));
const branch = suggestionQuestion({
  key: 'branch',
  prompt: 'Select a branch',
  choices: branches,
  typed: (text) => (text.includes(' ') ? 'Enter a branch name.' : [{ label: `Use ${text}`, value: text }]),
});

describe('a question with suggestions', () => {
  let person: Person;

  beforeEach(() => {
    person = new Person();
  });
  afterEach(() => person.leave());

  const ask = (answers: readonly Answer[], entered: Entered = {}, questions: readonly Question[] = [branch]) =>
    person.answering(answers, () => askInTurn('Deploy', questions, { entered }));

  it('takes a suggested value', async () => {
    assert.deepEqual(await ask(['release']), { branch: 'release' });
  });

  it('takes the first suggestion on Enter, also below a heading', async () => {
    const underHeading = suggestionQuestion({
      key: 'branch',
      prompt: 'Select a branch',
      typed: () => [],
      choices: [{ label: 'branches', kind: QuickPickItemKind.Separator, value: '' }, ...branches],
    });
    assert.deepEqual(await ask([enter], {}, [underHeading]), { branch: 'main' });
  });

  it('takes a typed value that is not suggested', async () => {
    assert.deepEqual(await ask([{ typed: 'hotfix', pick: 'Use hotfix' }]), { branch: 'hotfix' });
  });

  it('offers no second row for a value that is suggested', async () => {
    await ask([escape], { branch: 'release' });
    assert.deepEqual(person.seen.slice(1), ['main:', 'release:']);
  });

  it('shows again what was typed before, with its row', async () => {
    await ask([escape], { branch: 'hotfix' });
    assert.deepEqual(person.seen.slice(1), ['main:', 'release:', 'Use hotfix:']);
    assert.deepEqual(await ask(['Use hotfix'], { branch: 'hotfix' }), { branch: 'hotfix' });
  });

  it('says why a typed value is invalid, unless it filters the suggestions', async () => {
    await ask([escape], { branch: 'hot fix' });
    assert.deepEqual(person.seen.slice(1), ['main:', 'release:', '$(info) Enter a branch name.:']);
  });

  it('reports what was entered when the user gives up', async () => {
    let left: Entered = {};
    const onCancel = (entered: Entered) => {
      left = entered;
    };
    const asked = person.answering(['release', escape], () =>
      askInTurn('Deploy', [branch, branchAgain], { entered: {}, onCancel }),
    );
    assert.equal(await asked, undefined);
    assert.equal(left['branch'], 'release');
  });
});

const branchAgain = { ...branch, key: 'other' };
