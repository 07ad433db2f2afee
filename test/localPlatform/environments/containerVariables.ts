import * as v from 'valibot';
import { answerWithRows, type NodeOutcome } from '../files/eachNode';
import type { Call, Handler, OperationTable } from '../operation';
import { codes, Refusal } from '../refusal';
import type { Node } from './environment';

const getContainerEnvVars: Handler = (call) => {
  const [node] = call.nodes();
  const failure = node && call.disk.failing.get(node.id);
  if (failure !== undefined) throw new Refusal(failure.result, failure.error);
  return Promise.resolve({ source: 'JEL', object: { ...node?.variables } });
};

/** Sets variables. By a field report, some releases keep the value of a variable that exists. */
const addContainerEnvVars: Handler = (call) => {
  const added = varsOf(call, namesAndValues);
  const keeps = call.platform.behaviour.addedVariables === 'keep';
  return onNodes(call, (node) => {
    node.variables = keeps ? { ...added, ...node.variables } : { ...node.variables, ...added };
  });
};

/** Removes variables. A name that doesn't exist is no error. */
const removeContainerEnvVars: Handler = (call) => {
  const removed = new Set(varsOf(call, v.array(v.string())));
  return onNodes(call, (node) => {
    node.variables = Object.fromEntries(Object.entries(node.variables).filter(([name]) => !removed.has(name)));
  });
};

/** Containers keep their variables until a restart. */
export const applyVariables = (node: Node): void => {
  node.effectiveVariables = { ...node.variables };
};

const onNodes = async (call: Call, change: (node: Node) => void): Promise<ReturnType<typeof answerWithRows>> => {
  const outcomes = call.nodes().map((node): NodeOutcome => {
    const failure = call.disk.failing.get(node.id);
    if (failure !== undefined) return { node, kind: 'refused', refusal: new Refusal(failure.result, failure.error) };
    change(node);
    return { node, kind: 'done', fields: {} };
  });
  await call.platform.environments.save();
  return answerWithRows(outcomes, call.platform.behaviour.nodeFailures);
};

/** Unlike `record`, takes names such as `constructor`, too. */
const namesAndValues = v.custom<Readonly<Record<string, string>>>(
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((one) => typeof one === 'string'),
);

const varsOf = <T>(call: Call, schema: v.GenericSchema<unknown, T>): T => {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), call.parameters.text('vars'));
  if (!parsed.success) throw new Refusal(codes.invalidParameter, 'invalid parameter [vars]');
  return parsed.output;
};

export const containerVariableOperations: OperationTable = {
  GetContainerEnvVars: getContainerEnvVars,
  AddContainerEnvVars: addContainerEnvVars,
  RemoveContainerEnvVars: removeContainerEnvVars,
};
