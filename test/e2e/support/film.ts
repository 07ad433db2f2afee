import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { it } from 'mocha';
import type { Page } from 'playwright-core';
import { projectFolder } from '../../host/folders';
import { limit } from '../../host/limits';
import { takePicture } from '../../host/vscode/openWindow';

/** README is read on slow connections, too. */
const mostBytes = 400_000;

/** Defines a test that only films an animation for README. It runs if UPDATE_SCREENSHOTS is set. */
export const itIsFilmed: (title: string, test: () => Promise<void>) => void = (title, test) => {
  if (process.env['UPDATE_SCREENSHOTS'] !== undefined) it(`is filmed: ${title}`, test).timeout(limit(120_000));
};

/** A picture with a color, as a number, for each pixel. */
interface Picture {
  readonly width: number;
  readonly height: number;
  readonly colors: Uint32Array;
}

interface Frame {
  readonly picture: Picture;
  readonly ms: number;
}

/** Pictures show no pointer, but without one, nobody sees what is clicked. */
const showPointer = `(() => {
  const pointer = document.createElement('div');
  pointer.id = 'film-pointer';
  const look = { width: '18px', height: '18px', border: '2px solid #005fb8', borderRadius: '50%', background: '#005fb855' };
  Object.assign(pointer.style, { position: 'fixed', zIndex: 100000, left: '-99px', margin: '-11px', pointerEvents: 'none' }, look);
  document.body.append(pointer);
  const follow = ({ clientX, clientY }) => Object.assign(pointer.style, { left: clientX + 'px', top: clientY + 'px' });
  addEventListener('mousemove', follow, true);
})()`;

/** Takes the pictures of an animation one by one. */
export class Film {
  private readonly frames: Frame[] = [];

  private constructor(private readonly page: Page) {}

  static async begin(page: Page): Promise<Film> {
    await page.evaluate(showPointer);
    return new Film(page);
  }

  /** Adds what the window shows now, for so many milliseconds. */
  async show(ms: number): Promise<void> {
    this.frames.push({ picture: decoded(await takePicture(this.page)), ms });
  }

  /** Stores the animation with the screenshots for README. */
  async store(name: string): Promise<void> {
    await this.page.evaluate("document.getElementById('film-pointer').remove()");
    const bytes = animatedPng(this.frames);
    assert.ok(bytes.length <= mostBytes, `${bytes.length} bytes`);
    await writeFile(join(projectFolder, 'docs', 'screenshots', `${name}.png`), bytes);
  }
}

/** Reads a PNG as browsers write it: eight bits for red, green, and blue, maybe with transparency, which nothing here has. */
function decoded(png: Buffer): Picture {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const step = png[25] === 6 ? 4 : 3;
  const length = width * step;
  const filtered = inflateSync(Buffer.concat(dataIn(png)));
  const plain = new Uint8Array(length * height);
  for (let y = 0; y < height; y += 1) {
    const begin = y * (length + 1);
    for (let x = 0; x < length; x += 1) {
      const at = y * length + x;
      const [left, corner] = x < step ? [0, 0] : [plain[at - step] ?? 0, plain[at - length - step] ?? 0];
      const guess = predicted(filtered[begin] ?? 0, left, plain[at - length] ?? 0, corner);
      plain[at] = (filtered[begin + 1 + x] ?? 0) + guess;
    }
  }
  const part = (pixel: number, channel: number) => plain[pixel * step + channel] ?? 0;
  const colors = new Uint32Array(width * height);
  for (let at = 0; at < colors.length; at += 1) colors[at] = (part(at, 0) << 16) | (part(at, 1) << 8) | part(at, 2);
  return { width, height, colors };
}

function dataIn(png: Buffer): readonly Buffer[] {
  const found: Buffer[] = [];
  for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12) {
    const data = png.subarray(at + 8, at + 8 + png.readUInt32BE(at));
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') found.push(data);
  }
  return found;
}

/** What a byte differs from in the file, by PNG's filters. */
function predicted(filter: number, left: number, above: number, corner: number): number {
  if (filter < 3) return [0, left, above][filter] ?? 0;
  if (filter === 3) return (left + above) >> 1;
  const guess = left + above - corner;
  const [fromLeft, fromAbove, fromCorner] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)];
  if (fromLeft <= fromAbove && fromLeft <= fromCorner) return left;
  return fromAbove <= fromCorner ? above : corner;
}

/** Joins frames to one PNG that browsers animate. Each one contains only the rectangle that has changed. */
function animatedPng(frames: readonly Frame[]): Buffer {
  const { width, height } = frames[0]?.picture ?? assert.fail('There are no frames.');
  const palette = mostFrequentColors(frames);
  const indexOf = nearestIn(palette);
  const indexed = frames.map(({ picture }) => Uint8Array.from(picture.colors, indexOf));
  let sequence = 0;
  const next = () => uint32(sequence++);
  const chunks = frames.flatMap(({ ms }, index) => {
    const now = indexed[index] ?? assert.fail();
    const { left, top, right, bottom } = changedPart(now, indexed[index - 1], width);
    const data = packed(now, width, { left, top, right, bottom });
    const control = [next(), uint32(right - left), uint32(bottom - top), uint32(left), uint32(top)];
    // A fraction of a second, then two flags: the next frame is drawn onto this one.
    const shown = chunk('fcTL', ...control, Buffer.from([ms >> 8, ms & 255, 1000 >> 8, 1000 & 255, 0, 0]));
    return [shown, index === 0 ? chunk('IDAT', data) : chunk('fdAT', next(), data)];
  });
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', uint32(width), uint32(height), Buffer.from([8, 3, 0, 0, 0])),
    chunk('PLTE', Buffer.from(palette.flatMap((color) => channelsOf(color)))),
    chunk('acTL', uint32(frames.length), uint32(0)),
    ...chunks,
    chunk('IEND'),
  ]);
}

/** The most that a palette can have. What a window has more of is at the edges of letters, and nobody sees the difference. */
function mostFrequentColors(frames: readonly Frame[]): readonly number[] {
  const counts = new Map<number, number>();
  for (const { picture } of frames) {
    for (const color of picture.colors) counts.set(color, (counts.get(color) ?? 0) + 1);
  }
  const sorted = [...counts].sort(([, one], [, other]) => other - one);
  return sorted.slice(0, 256).map(([color]) => color);
}

function nearestIn(palette: readonly number[]): (color: number) => number {
  const known = new Map(palette.map((color, index) => [color, index]));
  const nearest = (color: number): number => {
    const wanted = channelsOf(color);
    const distances = palette.map((one) =>
      channelsOf(one).reduce((sum, value, channel) => sum + (value - (wanted[channel] ?? 0)) ** 2, 0),
    );
    return distances.indexOf(Math.min(...distances));
  };
  return (color) => {
    const index = known.get(color) ?? nearest(color);
    known.set(color, index);
    return index;
  };
}

function channelsOf(color: number): readonly number[] {
  return [color >> 16, (color >> 8) & 255, color & 255];
}

interface Part {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

function changedPart(now: Uint8Array, before: Uint8Array | undefined, width: number): Part {
  if (before === undefined) return { left: 0, top: 0, right: width, bottom: now.length / width };
  let [left, top, right, bottom] = [width, now.length / width, 0, 0];
  now.forEach((index, at) => {
    if (index === before[at]) return;
    const [x, y] = [at % width, Math.floor(at / width)];
    [left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x + 1), Math.max(bottom, y + 1)];
  });
  assert.ok(right > 0, 'Each frame shows something new.');
  return { left, top, right, bottom };
}

/** The rows of a part, each after a byte that says that it has no filter. */
function packed(indexes: Uint8Array, width: number, { left, top, right, bottom }: Part): Buffer {
  const rows: Uint8Array[] = [];
  for (let y = top; y < bottom; y += 1)
    rows.push(Uint8Array.of(0), indexes.subarray(y * width + left, y * width + right));
  return deflateSync(Buffer.concat(rows), { level: 9 });
}

function chunk(type: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), ...parts]);
  return Buffer.concat([uint32(body.length - type.length), body, uint32(crc32(body))]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
