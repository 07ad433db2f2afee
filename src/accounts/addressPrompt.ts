import { Disposable, l10n } from 'vscode';
import { type AddressProblem, parseAddress } from '../platform/address';
import { type AnswerCheck, AnswerChecks } from '../ui/answerChecks';
import { askByPick, askText, type OwnQuestion, type QuestionFrame, type Step, type TextQuestion } from '../ui/prompts';
import type { Choice } from '../ui/quickPick';

export interface KnownPlatforms {
  /** The addresses in the settings. */
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

/** Offers the platforms in the settings, and whatever address is typed into the list. */
function listQuestion(known: KnownPlatforms, typed: TextQuestion, check: AnswerCheck): OwnQuestion {
  return {
    kind: 'own',
    key: typed.key,
    ask: async (frame) => {
      // After a failed attempt, the address can be corrected right away.
      let problem = frame.problem;
      let value = frame.value;
      for (;;) {
        if (problem !== undefined) {
          const step = await askText(typed, { ...frame, value, problem });
          if (step?.kind !== 'back') {
            return step;
          }
        }
        const chosen = await choosePlatform(known, { ...frame, value }, check);
        if (chosen.problem === undefined) {
          return chosen.step;
        }
        ({ value, problem } = chosen);
      }
    },
  };
}

/** A step, or an address to correct: nothing is known to be wrong with an empty one. */
type ChosenPlatform =
  { readonly step: Step; readonly problem?: undefined } | { readonly value: string; readonly problem: string };

const otherPlatform = 'other';

/** Lets the user choose or type an address, and checks it while the list is open. */
async function choosePlatform(
  known: KnownPlatforms,
  frame: QuestionFrame,
  check: AnswerCheck,
): Promise<ChosenPlatform> {
  const { value, keep } = frame;
  const offered = known.platforms.map((platform) => ({ value: platform, label: `$(globe) ${platform}` }));
  const other = { value: otherPlatform, label: l10n.t('$(add) Enter Another Address…') };
  const itemsFor = (text: string): readonly Choice[] => {
    const isNew = 'ok' in parseAddress(text, known) && !known.platforms.includes(text.trim());
    const own = { value: text, label: `$(globe) ${text.trim()}`, description: l10n.t('Use this address') };
    return isNew ? [...offered, { ...own, alwaysShow: true }] : [...offered, other];
  };
  const found: { wrong?: { readonly value: string; readonly problem: string } | undefined } = {};
  const look = {
    placeholder: l10n.t('Select a platform, or enter its address'),
    items: itemsFor(value),
    value: known.platforms.includes(value) ? '' : value,
    activeItems: offered.filter((choice) => choice.value === value).slice(0, 1),
  };
  const step = await askByPick<Choice>(frame, look, (pick, resolve) => {
    const checks = new AnswerChecks(pick);
    return [
      new Disposable(() => checks.cancel()),
      pick.onDidChangeValue((text) => {
        checks.cancel();
        pick.items = itemsFor(text);
      }),
      pick.onDidAccept(() => {
        // A fast typist presses Enter before the list has the address.
        const chosen = pick.selectedItems[0]?.value ?? pick.value;
        const isOther = chosen === otherPlatform;
        const address = isOther ? '' : chosen;
        if (pick.busy || (!isOther && 'problem' in parseAddress(address, known))) {
          return;
        }
        const done = (problem: string | undefined) => {
          keep(address);
          found.wrong = problem === undefined ? undefined : { value: address, problem };
          resolve({ kind: 'answer', text: address });
        };
        if (isOther) {
          done('');
          return;
        }
        void checks.run(check, address).then((problem) => {
          if (problem !== 'canceled') {
            done(problem?.text);
          }
        });
      }),
    ];
  });
  return step?.kind === 'answer' && found.wrong !== undefined ? found.wrong : { step };
}

const addressSentences: Readonly<Record<AddressProblem, () => string>> = {
  empty: () => l10n.t("Enter the address of your platform's dashboard, such as https://app.example.com."),
  notAnAddress: () => l10n.t('Enter a web address, such as https://app.example.com.'),
  scheme: () => l10n.t('The address must start with https://.'),
  credentials: () => l10n.t('Enter the address without a username or password.'),
  plainHttp: () => l10n.t('Others on the network could read your password over plain HTTP. Use https://.'),
};
