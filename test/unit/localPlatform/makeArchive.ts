/** Archives that no proper program would write. */

const tarHeader = (name: string, type: string, size: number, target: string): Buffer => {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write('0000755\0', 100);
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  header.write(' '.repeat(8), 148);
  header.write(type, 156);
  header.write(target, 157);
  header.write('ustar\u000000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
};

export interface TarEntry {
  readonly name: string;
  readonly type?: '0' | '1' | '2' | '3' | '5';
  readonly content?: string;
  readonly target?: string;
}

export const makeTar = (entries: readonly TarEntry[]): Buffer =>
  Buffer.concat([
    ...entries.flatMap(({ name, type = '0', content = '', target = '' }) => {
      const body = Buffer.from(content);
      const padding = Buffer.alloc((512 - (body.length % 512)) % 512);
      return [tarHeader(name, type, body.length, target), body, padding];
    }),
    Buffer.alloc(1024),
  ]);

/** Creates a zip archive with one stored file. */
export const makeZip = (name: string, content: string): Buffer => {
  const [path, body] = [Buffer.from(name), Buffer.from(content)];
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(path.length, 26);
  const central = Buffer.alloc(46);
  central.writeUInt32LE(0x02014b50, 0);
  central.writeUInt32LE(body.length, 20);
  central.writeUInt32LE(body.length, 24);
  central.writeUInt16LE(path.length, 28);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(local.length + path.length + body.length, 16);
  return Buffer.concat([local, path, body, central, path, end]);
};
