import { table, type TableField, type TableOperation } from './contractTable';

/** Fields that say whether a call succeeded. They are read before the response, and errors contain them. */
const ofTheEnvelope = new Set(['result', 'error', 'reason', 'source']);

/** Returns a successful response of an operation, made from the table only, with a different value in every field. */
export function sampleAnswer(operation: TableOperation): Readonly<Record<string, unknown>> {
  const fields = fieldsOf(operation).map(([name, field]): [string, unknown] => [name, sampleOf(name, field).value]);
  return { result: 0, ...Object.fromEntries<unknown>(fields) };
}

/** Returns the path of each sample value in the response, and its text after parsing. */
export function samplesIn(operation: TableOperation): readonly (readonly [field: string, sample: string])[] {
  return fieldsOf(operation).flatMap(([name, field]) => sampleOf(name, field).samples);
}

function fieldsOf({ response }: TableOperation): readonly (readonly [string, TableField])[] {
  const fields = table.responses[response] ?? [];
  return fields.filter(({ name }) => !ofTheEnvelope.has(name)).map((field) => [field.name, field]);
}

interface Sample {
  readonly value: unknown;
  readonly samples: readonly (readonly [field: string, sample: string])[];
}

function sampleOf(path: string, field: TableField): Sample {
  switch (field.type) {
    case 'array':
      return inList(table.resources[field.of ?? ''] === undefined ? scalar(path, 'string') : resource(path, field));
    case 'mapOfArrays': {
      const { value, samples } = inList(resource(path, field));
      return { value: { anything: value }, samples };
    }
    case 'object':
    case 'debug':
      return resource(path, { ...field, of: field.of ?? field.type });
    case 'enum': {
      const name = Object.keys(field.values ?? {}).at(-1) ?? '';
      return { value: field.values?.[name], samples: [[path, name]] };
    }
    default:
      return scalar(path, field.type);
  }
}

function inList({ value, samples }: Sample): Sample {
  return { value: [value], samples };
}

function resource(path: string, { of: kind = '', fields }: TableField): Sample {
  const all = (table.resources[kind] ?? []).filter(({ name }) => fields?.includes(name) ?? true);
  const samples = all.map((field) => [field.name, sampleOf(`${path}.${field.name}`, field)] as const);
  return {
    value: Object.fromEntries(samples.map(([name, { value }]) => [name, value])),
    samples: samples.flatMap(([, { samples: inner }]) => inner),
  };
}

/** Returns a value that no other field has, except for the result of a node, which must be 0. */
function scalar(path: string, type: string): Sample {
  const number = Buffer.from(path).reduce((sum, byte) => (sum * 31 + byte) % 1_000_003, 7);
  if (/^responses\.(result|exitStatus)$/.test(path)) return { value: 0, samples: [[path, '0']] };
  switch (type) {
    case 'int':
    case 'long':
    case 'number':
      return { value: number, samples: [[path, String(number)]] };
    case 'boolean':
      return { value: true, samples: [[path, 'true']] };
    case 'Timestamp': {
      const moment = new Date(Date.UTC(2020, 0, 1) + number * 1000).toISOString();
      return { value: moment.slice(0, 19).replace('T', ' '), samples: [[path, moment]] };
    }
    case 'ip':
      return { value: '192.0.2.17', samples: [[path, '192.0.2.17']] };
    default: {
      const text = path.endsWith('Path') && path.startsWith('keywords') ? `/place/${number}` : `text ${number}`;
      return { value: text, samples: [[path, path.endsWith('fileType') ? 'other' : text]] };
    }
  }
}
