import type { OperationParameter, OperationRow } from '../contractTable';

const isUnset = ({ type }: OperationParameter, value: string): boolean => type === 'int' && value === '';

/** Clients send `nodeid=-1` with a layer to address all its nodes. */
const isEveryNode = ({ name }: OperationParameter, value: string): boolean =>
  name.toLowerCase() === 'nodeid' && value === '-1';

const spelledValue = ({ values }: OperationParameter, value: string): string =>
  values?.find((allowed) => allowed.toLowerCase() === value.toLowerCase()) ?? value;

/**
 * A request as the contract would spell it, read as leniently as real platforms do: names and enum values in any case,
 * and an empty number counts as absent. Parameters that the contract doesn't have stay as they are.
 */
export const contractSpelling = (row: OperationRow, sent: ReadonlyMap<string, string>): ReadonlyMap<string, string> => {
  const parameters = new Map(row.parameters.map((parameter) => [parameter.name.toLowerCase(), parameter]));
  const spelled = new Map<string, string>();
  for (const [name, value] of sent) {
    const parameter = parameters.get(name.toLowerCase());
    if (parameter === undefined) spelled.set(name, value);
    else if (!isUnset(parameter, value)) spelled.set(parameter.name, spelledValue(parameter, value));
  }
  if (!spelled.has('nodeGroup')) return spelled;
  for (const parameter of row.parameters) {
    if (isEveryNode(parameter, spelled.get(parameter.name) ?? '')) spelled.delete(parameter.name);
  }
  return spelled;
};
