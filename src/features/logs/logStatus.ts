import { Disposable, env, l10n, window } from 'vscode';
import type { CommandId } from '../../manifest';
import { setContextKey } from '../../ui/contextKeys';
import { withIcon } from '../../ui/escapeMarkup';
import { failureText } from '../../ui/failureMessages';
import { sizeText } from '../../ui/sizeText';
import { createStatusItem } from '../../ui/statusBar';
import { type LogDocuments, type OpenLog, rotationText, slowFilterText } from './logDocuments';
import { longestWholeLog } from './logSource';

/** Shows in the status bar what the active log's document contains, and whether it's followed. */
export function showLogStatus(documents: LogDocuments): Disposable {
  const item = createStatusItem('gantry.logState', l10n.t('Gantry: Log'));
  const update = () => {
    const opened = documents.find(window.activeTextEditor?.document.uri);
    const state = opened === undefined ? 'none' : opened.log.isPaused ? 'paused' : 'following';
    void setContextKey('gantry.logState', state);
    if (opened === undefined) {
      item.hide();
      return;
    }
    const isStill = state === 'paused' || opened.log.isBehind;
    const [parts, details] = [partsOf(opened), detailsOf(opened)];
    item.text = parts.map(({ icon, text }) => (icon === undefined ? text : withIcon(icon, text))).join(' · ');
    item.tooltip = details.join('\n');
    // Without it, a screen reader reads the names of the icons, too.
    item.accessibilityInformation = {
      label: [...parts.map(({ text }) => text), ...details].join(', '),
      role: 'button',
    };
    item.command = (isStill ? 'gantry.logs.follow' : 'gantry.logs.pause') satisfies CommandId;
    item.show();
  };
  update();
  return Disposable.from(item, window.onDidChangeActiveTextEditor(update), documents.onDidChangeState(update));
}

interface Part {
  readonly icon?: string;
  readonly text: string;
}

function partsOf({ log }: OpenLog): readonly Part[] {
  const state: Part =
    log.problem !== undefined
      ? { icon: 'warning', text: l10n.t('Log unavailable') }
      : log.isPaused
        ? { icon: 'debug-pause', text: l10n.t('Paused') }
        : log.isBehind
          ? { icon: 'arrow-down', text: l10n.t('New lines') }
          : { icon: 'debug-start', text: l10n.t('Following') };
  const lines = log.text.split('\n').length - (log.text === '' || log.text.endsWith('\n') ? 1 : 0);
  const isEnd = !log.isFromStart && log.filter === undefined;
  const part = lines === 1 ? l10n.t('1 line') : isEnd ? l10n.t('last {0} lines', lines) : l10n.t('{0} lines', lines);
  const icon = log.filter?.isTooSlow === true ? 'warning' : 'filter-filled';
  const filter: readonly Part[] = log.filter === undefined ? [] : [{ icon, text: log.filter.text }];
  return [state, { text: part }, ...filter];
}

function detailsOf({ place, log, source }: OpenLog): readonly string[] {
  const lines = [
    place.path,
    log.problem === undefined ? undefined : failureText(log.problem),
    log.restartedAt && rotationText(log.restartedAt),
    log.filter?.isTooSlow === true ? slowFilterText() : undefined,
    source.readsWhole
      ? l10n.t(
          "Gantry can't read parts of logs here, so it reads whole logs of up to {0}, and less often the longer you follow one.",
          sizeText(longestWholeLog, env.language),
        )
      : undefined,
    log.isPaused || log.isBehind ? l10n.t('Click to follow') : l10n.t('Click to pause'),
  ];
  return lines.filter((line) => typeof line === 'string');
}
