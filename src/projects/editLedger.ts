import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Disposable, EventEmitter } from 'vscode';
import * as v from 'valibot';
import { type FilePlace, keyOf } from '../remote/place';

const edit = v.object({
  account: v.string(),
  environment: v.string(),
  layer: v.string(),
  nodeId: v.optional(v.number()),
  path: v.string(),
  /** What the file held before it was first edited; unknown where nobody read it. */
  before: v.optional(v.string()),
  at: v.number(),
});
/** A file under a project's folder that was edited through Gantry since the last deployment. */
export type Edit = v.InferOutput<typeof edit>;

const parsedEdit = v.pipe(v.string(), v.parseJson(), edit);

/** A text of this length is not kept: the file is listed without a diff. */
const mostText = 2 * 1024 * 1024;

/**
 * What was edited in containers and may be lost by a deployment. On disk, for all windows and across restarts, a file for
 * each edited file; they hold what people keep in configuration, so they are for their owner alone.
 */
export class EditLedger implements Disposable {
  private readonly changed = new EventEmitter<FilePlace>();
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly folder: string,
    /** Whether a project may lie there: what no deployment touches is not noted. */
    private readonly concerns: (place: FilePlace) => boolean,
  ) {}

  /** A file was saved. What it held before counts the first time only. */
  async note(place: FilePlace, before: string | undefined): Promise<void> {
    if (!this.concerns(place)) {
      return;
    }
    const file = this.fileOf(place);
    if ((await readEdit(file)) !== undefined) {
      return;
    }
    const { account, environment, target, path } = place;
    const noted: Edit = {
      account,
      environment,
      layer: target.nodeGroup,
      nodeId: target.nodeId,
      path,
      before: before !== undefined && before.length > mostText ? undefined : before,
      at: Date.now(),
    };
    await this.keep(noted);
  }

  /** The folder that the edited files lie in has another path now. */
  async move(
    { account, environment, layer }: Pick<Edit, 'account' | 'environment' | 'layer'>,
    from: string,
    to: string,
  ): Promise<void> {
    const moved = (await this.of(account)).filter(
      (edit) => edit.environment === environment && edit.layer === layer && edit.path.startsWith(`${from}/`),
    );
    for (const edit of moved) {
      await this.keep({ ...edit, path: `${to}${edit.path.slice(from.length)}` });
    }
    await this.forget(moved);
  }

  /** The edits of an account's files, by path. A file of a whole layer is left out where its nodes are noted. */
  async of(account: string): Promise<readonly Edit[]> {
    const folder = join(this.folder, account);
    // No folder: nothing was edited.
    const names = await readdir(folder).catch((): string[] => []);
    const found = await Promise.all(
      names.filter((name) => name.endsWith('.json')).map((name) => readEdit(join(folder, name))),
    );
    const edits = found.flatMap((one) => one ?? []);
    const onNodes = new Set(edits.filter(({ nodeId }) => nodeId !== undefined).map(withoutNode));
    return edits
      .filter((one) => one.nodeId !== undefined || !onNodes.has(withoutNode(one)))
      .sort((one, other) => one.path.localeCompare(other.path) || (one.nodeId ?? 0) - (other.nodeId ?? 0));
  }

  async before(place: FilePlace): Promise<string | undefined> {
    return (await readEdit(this.fileOf(place)))?.before;
  }

  async forget(edits: readonly Edit[]): Promise<void> {
    for (const one of edits) {
      const place = placeOfEdit(one);
      await rm(this.fileOf(place), { force: true });
      await rm(this.fileOf({ ...place, target: { nodeGroup: one.layer } }), { force: true });
      this.changed.fire(place);
    }
  }

  async forgetAccount(account: string): Promise<void> {
    await rm(join(this.folder, account), { recursive: true, force: true });
  }

  dispose(): void {
    this.changed.dispose();
  }

  private async keep(noted: Edit): Promise<void> {
    const place = placeOfEdit(noted);
    const file = this.fileOf(place);
    await mkdir(join(this.folder, noted.account), { recursive: true, mode: 0o700 });
    // Renamed into place: another window never reads half of it.
    await writeFile(`${file}.new`, JSON.stringify(noted), { mode: 0o600 });
    await rename(`${file}.new`, file);
    this.changed.fire(place);
  }

  private fileOf(place: FilePlace): string {
    const name = createHash('sha256').update(keyOf(place)).digest('hex').slice(0, 32);
    return join(this.folder, place.account, `${name}.json`);
  }
}

export function placeOfEdit({ account, environment, layer, nodeId, path }: Edit): FilePlace {
  const target = nodeId === undefined ? { nodeGroup: layer } : { nodeGroup: layer, nodeId };
  return { kind: 'file', account, environment, target, path };
}

function withoutNode({ environment, layer, path }: Edit): string {
  return `${environment}/${layer}${path}`;
}

async function readEdit(file: string): Promise<Edit | undefined> {
  try {
    return v.parse(parsedEdit, await readFile(file, 'utf8'));
  } catch {
    // Not noted, or forgotten meanwhile by another window.
    return undefined;
  }
}
