import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { commands } from 'vscode';
import type { Parts } from '../../integration/support/parts';
import { until } from '../../integration/support/event';
import { gantry, signedIn, type Welcoming } from '../../integration/support/gantry';
import { openedRows, rowsBelow, type Tree } from '../../integration/support/trees';
import { median } from '../chain';
import { benchSurroundings, type Figure, reportFigure } from '../figure';
import { DistantPlatform } from './distantPlatform';
import { forceCollection, measureAt, withoutWatching } from './measure';

const turns = 5;
const layer = 'Application servers';
/** Both accounts have these environments. */
const unfolded = ['Harbor Coffee', 'Juniper Coffee', 'Copper Coffee', 'Lantern Coffee', 'Meadow Coffee'] as const;

/** What working in an account takes. Times are in milliseconds. */
interface AccountFigures {
  /** Of the view that needs most. */
  readonly open: Figure;
  readonly unfold: Figure;
  readonly refresh: Figure;
  readonly goTo: Figure;
  /** What the rows and the data behind them take, once the code is loaded. */
  readonly megabytes: number;
}

describe('performance with many environments', () => {
  const { results, origin, sample, fewer } = benchSurroundings();

  it('bigAccount', async () => {
    assert.ok(fewer);
    const small = await measureAccount(fewer);
    const big = await measureAccount({ origin, sample });
    const growth = (figure: 'unfold' | 'refresh', what: string) =>
      (big[figure][what] ?? 0) / (small[figure][what] ?? 0);
    await reportFigure(results, 'bigAccount', {
      requests: big.open.requests,
      sequential: big.open.sequential,
      ratio: (big.open['milliseconds'] ?? 0) / (await plainListing({ origin, sample })),
      milliseconds: big.open['milliseconds'],
      unfoldRequests: big.unfold.requests,
      unfoldGrowth: growth('unfold', 'requests'),
      unfoldTimeGrowth: growth('unfold', 'milliseconds'),
      refreshRequests: big.refresh.requests,
      refreshGrowth: growth('refresh', 'requests'),
      goToRequests: big.goTo.requests,
      megabytes: big.megabytes,
    });
  });
});

async function measureAccount(welcoming: Welcoming): Promise<AccountFigures> {
  const parts = await gantry();
  withoutWatching(parts);
  const platform = new DistantPlatform(welcoming.origin);
  forceCollection();
  const before = process.memoryUsage().heapUsed;
  const account = await signedIn(welcoming);
  const views = viewsOf(parts);
  const opened: Figure[] = [];
  // VS Code keeps the rows that it shows.
  const shown = new Map<unknown, unknown[]>();
  for (const view of [...Object.values(views), parts.accessView]) {
    const run = async () => void shown.set(view, await openedRows(view));
    opened.push(await measureAt(0, { prepare: () => refreshAll(parts), run }, { platform, turns }));
  }
  forceCollection();
  const megabytes = (process.memoryUsage().heapUsed - before) / 1024 / 1024;
  assert.ok(shown.size === opened.length);
  await refreshAll(parts);
  await parts.environments.of(account);
  const unfold = await measureAt(0, { run: (turn) => unfoldIn(parts, unfolded[turn] ?? '') }, { platform, turns });
  const refresh = await measureAt(0, { run: () => refreshEnvironments(parts) }, { platform, turns });
  const goTo = await measureAt(0, { run: openGoTo }, { platform, turns });
  await parts.accounts.remove(account.slug);
  return { open: mostOf(opened), unfold, refresh, goTo, megabytes };
}

function viewsOf({ environmentsView, sharing, projects }: Parts): Readonly<Record<string, Tree<unknown>>> {
  const { favoritesView, mountsView } = sharing;
  return { environmentsView, favoritesView, mountsView, deploymentsView: projects.view };
}

async function refreshAll({ sharing }: Parts): Promise<void> {
  await commands.executeCommand('gantry.environments.refresh');
  await commands.executeCommand('gantry.deployments.refresh');
  sharing.favorites.refresh();
  sharing.mounts.refresh();
}

/** Unfolds an environment in each view until everything below is shown, one of its layers, and its first node. */
async function unfoldIn({ environmentsView, sharing, projects }: Parts, name: string): Promise<void> {
  const [node] = await rowsBelow(environmentsView, name, layer);
  await environmentsView.getChildren(node);
  await rowsBelow(sharing.favoritesView, name);
  await rowsBelow(sharing.mountsView, name, layer);
  const rows = await rowsBelow(projects.view, name);
  const { deployedStates } = projects;
  const isKnown = () => rows.every((row) => row.kind !== 'project' || deployedStates.last(row.place) !== undefined);
  if (!isKnown()) await until(deployedStates.onDidChange, isKnown);
}

/** Refreshes the Environments view, and asks for the rows that VS Code then asks for, in all views. */
async function refreshEnvironments(parts: Parts): Promise<void> {
  await commands.executeCommand('gantry.environments.refresh');
  await Promise.all(Object.values(viewsOf(parts)).map((view) => openedRows(view)));
  await unfoldIn(parts, unfolded[0]);
}

async function openGoTo(): Promise<void> {
  const answered = commands.executeCommand('gantry.environment.goTo');
  await commands.executeCommand('workbench.action.closeQuickOpen');
  await answered;
}

/** Transfers and parses the listing without any other work. Returns the median time. */
async function plainListing({ origin, sample }: Welcoming): Promise<number> {
  const post = async (path: string, parameters: Record<string, string>) => {
    const response = await fetch(`${origin}/1.0/${path}`, { method: 'POST', body: new URLSearchParams(parameters) });
    return JSON.parse(await response.text()) as { readonly session?: string };
  };
  const { email, password } = sample;
  const { session = '' } = await post('users/authentication/rest/signin', { login: email, password });
  const times: number[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    const begun = performance.now();
    await post('environment/control/rest/getenvs', { session });
    times.push(performance.now() - begun);
  }
  return median(times);
}

/** Returns the maximum of each number. */
function mostOf(figures: readonly Figure[]): Figure {
  const names = new Set(figures.flatMap((figure) => Object.keys(figure)));
  return Object.fromEntries([...names].map((name) => [name, Math.max(...figures.map((figure) => figure[name] ?? 0))]));
}
