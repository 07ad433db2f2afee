import type { Behaviour } from '../behaviour';
import { filterLength, type OperationParameter, type OperationRow } from '../contractTable';
import { Parameters } from '../parameters';
import { codes, Refusal } from '../refusal';

const fits = ({ name, type, values }: OperationParameter, value: string): boolean => {
  if (name === 'filter') return value.length <= filterLength;
  if (values !== undefined) return values.includes(value);
  switch (type) {
    case 'int':
      return /^-?\d{1,10}$/u.test(value);
    case 'boolean':
      return /^(true|false|1|0)$/u.test(value);
    default:
      return true;
  }
};

/** Fails with 3 if the contract doesn't allow a parameter. */
export const checkParameters = (
  row: OperationRow,
  values: ReadonlyMap<string, string>,
  requests: Behaviour['requests'],
): Parameters => {
  const refuse = (name: string): never => {
    throw new Refusal(codes.invalidParameter, `invalid parameter [${name}]`);
  };
  for (const parameter of row.parameters) {
    const value = values.get(parameter.name);
    if (value === undefined ? parameter.required : !fits(parameter, value)) refuse(parameter.name);
  }
  const known = new Set(row.parameters.map(({ name }) => name));
  if (requests === 'strict') for (const name of values.keys()) if (!known.has(name)) refuse(name);
  return new Parameters(new Map([...values].filter(([name]) => known.has(name))));
};
