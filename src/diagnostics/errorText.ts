import { basename, dirname } from 'node:path';
import { isPlatformError } from '../platform/errors';
import type { FailedRequest } from '../ui/trafficLog';

/** The names that Gantry gives its operations. */
const operationName = /^[A-Za-z][A-Za-z.]{0,40}$/;
/** The names of errors, and of their codes. */
const errorName = /^[A-Za-z_][A-Za-z0-9_]{0,40}$/;
/** The parts of the bundle. */
const partName = /^[A-Za-z]+(-[A-Z0-9]{8})?\.js$/;
const mostFrames = 4;

/** Describes an error without its message, which may contain names, paths, and addresses. */
export function errorText(error: unknown, bundleFolder: string): string {
  if (isPlatformError(error)) {
    const { operation, kind, obstacle, result, reason, status, isOutcomeUnknown } = error;
    return [
      `${known(operation, operationName)}: ${kind}`,
      ...[obstacle ?? []].flat(),
      ...[result === undefined ? [] : `result ${result}`].flat(),
      ...[reason === undefined ? [] : `reason ${reason}`].flat(),
      ...[status === undefined ? [] : `HTTP ${status}`].flat(),
      ...(isOutcomeUnknown ? ['outcome unknown'] : []),
    ].join(', ');
  }
  if (!(error instanceof Error)) {
    return `not an error object but a ${typeof error}`;
  }
  const code = 'code' in error && typeof error.code === 'string' ? ` ${known(error.code, errorName)}` : '';
  const frames = framesIn(error, bundleFolder);
  return `${known(error.name, errorName)}${code}${frames === '' ? '' : `, at ${frames}`}`;
}

/** Describes a request without its target. */
export function failedRequestText({
  operation,
  outcome,
  result,
  status,
  attempt,
  milliseconds,
}: FailedRequest): string {
  return [
    `${known(operation, operationName)}: ${outcome}`,
    ...(result === undefined ? [] : [`result ${result}`]),
    ...(status === undefined || status === 200 ? [] : [`HTTP ${status}`]),
    ...(attempt === 1 ? [] : [`attempt ${attempt}`]),
    `${Math.round(milliseconds)} ms`,
  ].join(', ');
}

function known(name: string, form: RegExp): string {
  return form.test(name) ? name : 'unnamed';
}

/** Returns where in Gantry's own files an error was thrown. A message in the stack may look like one of its lines. */
function framesIn({ stack = '', message }: Error, bundleFolder: string): string {
  const start = message === '' ? 0 : stack.indexOf(message) + message.length;
  const lines = start < message.length ? [] : stack.slice(start).split('\n');
  const frames = lines.flatMap((line) => {
    const [, path = '', at = ''] = /^ +at (?:.* \(|async )?(\/.+|[A-Za-z]:\\.+):(\d+:\d+)\)?$/.exec(line) ?? [];
    const isOurs = dirname(path) === bundleFolder && partName.test(basename(path));
    return isOurs ? [`${basename(path)}:${at}`] : [];
  });
  return frames.slice(0, mostFrames).join(', ');
}
