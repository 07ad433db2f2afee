import { l10n } from 'vscode';
import { raceAbort } from '../async/raceAbort';
import { type AddressProblem, parseAddress } from '../platform/address';
import { Canceled, isCanceled } from '../platform/errors';
import type { AnswerCheck } from '../ui/answerChecks';
import { failureText } from '../ui/failureMessages';
import { withProgress } from '../ui/progress';
import { askText, type OwnQuestion, type QuestionFrame, type Step, type TextQuestion } from '../ui/prompts';
import { suggestionQuestion } from '../ui/suggestionPrompt';

export interface KnownPlatforms {
  readonly platforms: readonly string[];
  readonly allowPlainHttp: boolean;
}

/** Asks for a platform's address, which is checked before the next question: typed, or one of those in the settings. */
export function addressQuestion(known: KnownPlatforms, check: AnswerCheck): TextQuestion | OwnQuestion {
  const typed: TextQuestion = {
    key: 'address',
    prompt: l10n.t("Address of your platform's dashboard, for example https://app.example.com"),
    placeholder: 'https://app.example.com',
    problem: (text) => {
      const parsed = parseAddress(text, known);
      return 'ok' in parsed ? undefined : addressSentences[parsed.problem]();
    },
    check,
  };
  return known.platforms.length === 0 ? typed : listQuestion(known, typed, check);
}

function listQuestion(known: KnownPlatforms, typed: TextQuestion, check: AnswerCheck): OwnQuestion {
  const list = suggestionQuestion({
    key: typed.key,
    prompt: l10n.t('Select a platform, or enter its address'),
    choices: [
      ...known.platforms.map((platform) => ({ value: platform, label: platform, icon: 'globe' })),
      { value: otherPlatform, label: l10n.t('Enter Another Address…'), icon: 'add' },
    ],
    typed: (text) =>
      typed.problem?.(text) ?? [{ value: text, label: text, icon: 'globe', description: l10n.t('Use this address') }],
  });
  const ask = async (frame: QuestionFrame): Promise<Step> => {
    if (frame.problem !== undefined) {
      // A wrong address can be corrected right away. Back leads to the list.
      const step = await askText(typed, { ...frame, goesBack: true });
      return step?.kind === 'back' ? ask({ ...frame, problem: undefined }) : step;
    }
    const chosen = await list.ask(frame);
    if (chosen?.kind !== 'answer') {
      return chosen;
    }
    const { text } = chosen;
    if (text === otherPlatform) {
      return ask({ ...frame, value: '', problem: '' });
    }
    const problem = await problemAt(text, check);
    return problem === undefined ? chosen : ask({ ...frame, value: text, problem: problem.text });
  };
  return { kind: 'own', key: typed.key, ask };
}

const otherPlatform = 'other';

/** Returns the problem of a chosen address, without a text if the user canceled the check. */
async function problemAt(address: string, check: AnswerCheck): Promise<{ readonly text?: string } | undefined> {
  const title = l10n.t('Checking {0}', address);
  try {
    const problem = await withProgress(title, ({ signal }) =>
      raceAbort(check(address, signal), signal, new Canceled('Signin', { isOutcomeUnknown: false })),
    );
    return problem === undefined ? undefined : { text: problem };
  } catch (error) {
    return isCanceled(error) ? {} : { text: failureText(error) };
  }
}

const addressSentences: Readonly<Record<AddressProblem, () => string>> = {
  empty: () => l10n.t("Enter the address of your platform's dashboard, such as https://app.example.com."),
  notAnAddress: () => l10n.t('Enter a web address, such as https://app.example.com.'),
  scheme: () => l10n.t('The address must start with https://.'),
  credentials: () => l10n.t('Enter the address without a username or password.'),
  plainHttp: () => l10n.t('Others on the network could read your password over plain HTTP. Use https://.'),
};
