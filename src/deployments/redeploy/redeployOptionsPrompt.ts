import { l10n } from 'vscode';
import type { Accounts } from '../../accounts/accounts';
import { layerIn } from '../../containers/environmentIndex';
import type { Environments } from '../../containers/environments';
import type { ProjectPlace } from '../projectPlace';
import type { RedeployRequest } from './redeployOperation';
import { askInTurn, type Entered, type Question } from '../../ui/prompts';

/** Which nodes, and how long to wait between them. */
export async function askOptions(
  place: ProjectPlace,
  { accounts, environments }: { readonly accounts: Accounts; readonly environments: Environments },
): Promise<RedeployRequest | undefined> {
  const account = accounts.find(place.account);
  const all = account === undefined ? [] : await environments.of(account);
  const nodes = layerIn(all, place.environment, place.layer)?.nodes ?? [];
  const which: Question = {
    kind: 'choice',
    key: 'node',
    prompt: l10n.t('Which nodes shall be redeployed?'),
    choices: [
      { label: l10n.t('All nodes of the layer'), description: place.layer, value: '' },
      ...nodes.map(({ id, name }) => ({ label: name, description: String(id), value: String(id) })),
    ],
  };
  const delay: Question = {
    key: 'delay',
    prompt: l10n.t('Seconds between the restart of one node and the next; empty for what the project says'),
    placeholder: '30',
    mayBeEmpty: true,
    problem: (text) => (/^\d{0,5}$/.test(text.trim()) ? undefined : l10n.t('Enter a number of seconds.')),
  };
  const questions = ({ node }: Entered) => (node === undefined || node === '' ? [which, delay] : [which]);
  const entered = await askInTurn(l10n.t('Redeploy {0} on {1}', place.context, place.environment), questions);
  return (
    entered && {
      place,
      nodeId: numberIn(entered['node']),
      delay: numberIn(entered['delay']),
    }
  );
}

function numberIn(text: string | undefined): number | undefined {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? undefined : Number(trimmed);
}
