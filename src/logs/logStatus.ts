import { Disposable, env, l10n, StatusBarAlignment, window } from 'vscode';
import type { CommandId } from '../manifest';
import { setContextKey } from '../ui/contextKeys';
import { failureText } from '../ui/failureMessages';
import { formatTimeOfDay } from '../ui/relativeTime';
import { sizeText } from '../ui/sizeText';
import type { LogDocuments, OpenLog } from './logDocuments';
import { longestWholeLog } from './logSource';
import { withIcon } from '../ui/escapeMarkup';

/** Shows in the status bar what the active log's document contains, and whether it's followed. */
export function showLogStatus(documents: LogDocuments): Disposable {
  const item = window.createStatusBarItem('gantry.logState', StatusBarAlignment.Left, 9);
  item.name = l10n.t('Gantry: Log');
  const update = () => {
    const opened = documents.find(window.activeTextEditor?.document.uri);
    const state = opened === undefined ? 'none' : opened.log.isPaused ? 'paused' : 'following';
    void setContextKey('gantry.logState', state);
    if (opened === undefined) {
      item.hide();
      return;
    }
    const isStill = state === 'paused' || opened.log.isBehind;
    item.text = textOf(opened);
    item.tooltip = tooltipOf(opened);
    item.command = (isStill ? 'gantry.logs.follow' : 'gantry.logs.pause') satisfies CommandId;
    item.show();
  };
  update();
  return Disposable.from(item, window.onDidChangeActiveTextEditor(update), documents.onDidChangeState(update));
}

function textOf({ log }: OpenLog): string {
  const state =
    log.problem !== undefined
      ? withIcon('warning', l10n.t('Log unavailable'))
      : log.isPaused
        ? withIcon('debug-pause', l10n.t('Paused'))
        : log.isBehind
          ? withIcon('arrow-down', l10n.t('New lines'))
          : withIcon('debug-start', l10n.t('Following'));
  const lines = log.text.split('\n').length - (log.text === '' || log.text.endsWith('\n') ? 1 : 0);
  const part =
    lines === 1 ? l10n.t('1 line') : log.isFromStart ? l10n.t('all {0} lines', lines) : l10n.t('last {0} lines', lines);
  const filter = log.filter === undefined ? undefined : withIcon('filter-filled', log.filter.text);
  return [state, part, filter].filter((one) => one !== undefined).join(' · ');
}

function tooltipOf({ place, log, source }: OpenLog): string {
  const lines = [
    place.path,
    log.problem === undefined ? undefined : failureText(log.problem),
    log.restartedAt === undefined
      ? undefined
      : l10n.t('The log was rotated or truncated at {0}.', formatTimeOfDay(log.restartedAt)),
    source.readsWhole
      ? l10n.t(
          "Gantry can't read parts of logs here, so it reads whole logs of up to {0}, and less often the longer you follow one.",
          sizeText(longestWholeLog, env.language),
        )
      : undefined,
    log.isPaused || log.isBehind ? l10n.t('Click to follow') : l10n.t('Click to pause'),
  ];
  return lines.filter((line) => line !== undefined).join('\n');
}
