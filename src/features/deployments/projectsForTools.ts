import { l10n } from 'vscode';
import { ensureNoneMissed } from '../../containers/namedContainer';
import type { ProjectNames } from '../../featureApis';
import { Canceled } from '../../platform/errors';
import { ExpectedError } from '../../ui/expectedError';
import type { DeploymentParts } from './parts';
import { fitsWords } from './projectFinder';
import { placeOfProject, type ProjectPlace } from './projectPlace';
import { severityOf } from './results';
import { stateText } from './deployedState/stateTexts';
import { decideForTool, outlookOf } from './redeploy/ask';
import type { NodeChange } from './redeploy/redeployResult';
import { redeployMessage } from './redeploy/redeployResultText';
import { withoutSecret } from './repositories/repositoryUrl';

const outcomes = { success: 'deployed', warning: 'unverified', error: 'failed' } as const;

export function projectsForTools({ finder, projects, deployedStates, redeploys, flow, environments }: DeploymentParts) {
  const list = async (words: ProjectNames) => {
    const { places, failures } = await finder.all((place) => fitsWords(place, words));
    const found = places.filter((place) => fitsWords(place, words)).map(placeOfProject);
    ensureNoneMissed(words.account, found, failures);
    if (found.length === 0) {
      throw new ExpectedError(
        places.length === 0
          ? l10n.t('No environment has a project.')
          : l10n.t("That project doesn't exist. These exist: {0}", namesOf(places)),
      );
    }
    return found;
  };
  const only = async (words: ProjectNames) => {
    const [place, ...others] = await list(words);
    if (place === undefined || others.length > 0) {
      throw new ExpectedError(
        l10n.t('Several projects match. Specify one: {0}', namesOf([place ?? [], others].flat())),
      );
    }
    return place;
  };
  return {
    list,
    async describe(words: ProjectNames): Promise<readonly string[]> {
      const place = await only(words);
      const results = await deployedStates.look(place);
      const { url, branch } = (await projects.lastOrRead(place)).settings;
      return [
        JSON.stringify({ ...place, branch, repository: url && withoutSecret(url) }),
        ...deployedStates.lastNodes(place).map(nodeLine),
        ...results.map((result) => stateText(result).sentence),
      ];
    },
    async outlook(words: ProjectNames) {
      return outlookOf(await flow.plan({ place: await only(words), consent: 'byTool' }));
    },
    /** @param options.signal prevents the redeploy if it's aborted before the Update is sent */
    async redeploy(
      words: ProjectNames,
      options: Parameters<typeof decideForTool>[1] & { readonly signal: AbortSignal },
    ) {
      const place = await only(words);
      if (redeploys.running(place) !== undefined) {
        throw new ExpectedError(l10n.t('{0} is already being redeployed. Try again later.', place.context));
      }
      const ended = await flow.perform({ place, consent: 'byTool' }, (plan) => decideForTool(plan, options), options);
      switch (ended.kind) {
        case 'ended': {
          const { record } = ended;
          const lines = [redeployMessage(record, environments), ...record.nodes.map(nodeLine)];
          return { outcome: outcomes[severityOf(record.verdict)], lines };
        }
        case 'joined':
          throw new ExpectedError(
            l10n.t('Another redeploy of {0} started first. Check the deployed commit.', place.context),
          );
        case 'declined':
          if (options.signal.aborted) {
            throw new Canceled('Update', { isOutcomeUnknown: false });
          }
          throw new ExpectedError(ended.why ?? l10n.t("Nothing was redeployed. Check the project's state."));
      }
    },
  };
}

function nodeLine({ name, nodeId, before, after, unreadable }: NodeChange): string {
  const now = unreadable ?? after ?? l10n.t('no commit');
  return `${name} (${nodeId ?? '-'}): ${before === undefined || before === after ? now : `${before} → ${now}`}`;
}

const mostNamed = 50;

function namesOf(places: readonly ProjectPlace[]): string {
  return places
    .slice(0, mostNamed)
    .map((place) => JSON.stringify(placeOfProject(place)))
    .join(', ');
}
