export interface MultipartField {
  readonly name: string;
  readonly filename?: string;
  readonly body: Buffer;
}

const boundaryOf = (contentType: string): string | undefined => {
  // The real uploader requires the boundary to be the last parameter.
  const found = /^multipart\/form-data\b.*;\s*boundary=(?:"([^"]+)"|([^";]+))\s*$/iu.exec(contentType);
  return found?.[1] ?? found?.[2];
};

const parameter = (disposition: string, name: string): string | undefined =>
  new RegExp(`;\\s*${name}="([^"]*)"`, 'iu').exec(disposition)?.[1];

const fieldOf = (part: Buffer): MultipartField | undefined => {
  const headEnd = part.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const head = part.subarray(0, headEnd).toString('utf8');
  const disposition = /^content-disposition:(.*)$/imu.exec(head)?.[1] ?? '';
  const name = parameter(disposition, 'name');
  if (name === undefined) return undefined;
  const filename = parameter(disposition, 'filename');
  return { name, ...(filename === undefined ? {} : { filename }), body: part.subarray(headEnd + 4) };
};

/** Returns the fields of a multipart body, or undefined if it is invalid or incomplete. */
export const parseMultipart = (contentType: string, body: Buffer): readonly MultipartField[] | undefined => {
  const boundary = boundaryOf(contentType);
  if (boundary === undefined) return undefined;
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const whole = Buffer.concat([Buffer.from('\r\n'), body]);
  const fields: MultipartField[] = [];
  let start = whole.indexOf(delimiter);
  while (start >= 0) {
    const partStart = start + delimiter.length;
    if (whole.subarray(partStart, partStart + 2).toString('latin1') === '--') return fields;
    const next = whole.indexOf(delimiter, partStart);
    if (next < 0) return undefined;
    const field = fieldOf(whole.subarray(partStart + 2, next));
    if (field !== undefined) fields.push(field);
    start = next;
  }
  return undefined;
};
