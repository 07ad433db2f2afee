import contract from '../contract/operations.json';

export interface OperationParameter {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly values?: readonly string[];
}

export interface OperationRow {
  readonly name: string;
  readonly area: 'authentication' | 'vcs' | 'file' | 'extra';
  /** The URL path of the operation. */
  readonly path: string;
  /** Its name in a token's apiList, such as `environment.file.Read`. */
  readonly method: string;
  readonly parameters: readonly OperationParameter[];
}

const methodPrefix = {
  authentication: 'users.authentication',
  vcs: 'environment.vcs',
  file: 'environment.file',
} as const;

const text = (name: string, required = false): OperationParameter => ({ name, type: 'string', required });

const ofContract = contract.operations.map((operation): OperationRow => {
  const { area } = operation;
  if (area !== 'authentication' && area !== 'vcs' && area !== 'file') throw new Error(`unknown area ${area}`);
  return {
    name: operation.name,
    area,
    path: contract.areas[area].base + operation.suffix,
    method: `${methodPrefix[area]}.${operation.name}`,
    parameters: operation.parameters,
  };
});

/** Publicly documented operations outside the contract. */
const extras: readonly OperationRow[] = [
  {
    name: 'GetEnvs',
    area: 'extra',
    path: '/1.0/environment/control/rest/getenvs',
    method: 'environment.control.GetEnvs',
    parameters: [text('session', true), text('appid')],
  },
  {
    name: 'GetEnvInfo',
    area: 'extra',
    path: '/1.0/environment/control/rest/getenvinfo',
    method: 'environment.control.GetEnvInfo',
    parameters: [text('session', true), text('envName', true), text('appid')],
  },
];

const restartServices: OperationRow = {
  name: 'RestartServices',
  area: 'extra',
  path: '/1.0/environment/control/rest/restartservices',
  method: 'environment.control.RestartServices',
  parameters: [
    text('session', true),
    text('envName', true),
    text('nodeGroup'),
    { name: 'nodeId', type: 'int', required: false },
    { name: 'isSequential', type: 'boolean', required: false },
    { name: 'delay', type: 'int', required: false },
    text('appid'),
  ],
};

const containerVariables = (
  [
    ['Get', [{ name: 'nodeId', type: 'int', required: true }]],
    ['Add', [text('vars', true), text('nodeGroup'), { name: 'nodeId', type: 'int', required: false }]],
    ['Remove', [text('vars', true), text('nodeGroup'), { name: 'nodeId', type: 'int', required: false }]],
  ] as const
).map(([verb, parameters]): OperationRow => {
  const name = `${verb}ContainerEnvVars`;
  return {
    name,
    area: 'extra',
    path: `/1.0/environment/control/rest/${name.toLowerCase()}`,
    method: `environment.control.${name}`,
    parameters: [text('session', true), text('envName', true), ...parameters, text('appid')],
  };
});
const logs = (['GetLogs', 'ReadLog'] as const).map((name): OperationRow => ({
  name,
  area: 'extra',
  path: `/1.0/environment/control/rest/${name.toLowerCase()}`,
  method: `environment.control.${name}`,
  parameters: [
    text('session', true),
    text('envName', true),
    { name: 'nodeId', type: 'int', required: true },
    text('path', true),
    ...(name === 'GetLogs' ? [] : ['from', 'count'].map((part) => ({ name: part, type: 'int', required: false }))),
    text('appid'),
  ],
}));

const getCurrentActions: OperationRow = {
  name: 'GetCurrentActions',
  area: 'extra',
  path: '/1.0/environment/tracking/rest/getcurrentactions',
  method: 'environment.tracking.GetCurrentActions',
  parameters: [text('session', true), text('appid')],
};

const getUserInfo: OperationRow = {
  name: 'GetUserInfo',
  area: 'extra',
  path: '/1.0/users/account/rest/getuserinfo',
  method: 'users.account.GetUserInfo',
  parameters: [text('session', true), text('appid')],
};

/** Takes a multipart body, so it isn't one of the rows with a common parameter check. */
export const uploader = {
  name: 'Uploader',
  path: '/1.0/storage/uploader/rest/upload',
  method: 'storage.uploader.Upload',
} as const;

export const operationRows: readonly OperationRow[] = [
  ...ofContract,
  ...extras,
  restartServices,
  getCurrentActions,
  getUserInfo,
  ...containerVariables,
  ...logs,
];

export const filterLength = contract.limits.filter.maximumLength;
export const standardTemplates: readonly string[] = contract.standardTemplates;
