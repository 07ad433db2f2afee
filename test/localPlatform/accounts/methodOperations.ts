import { enumerated } from '../enumerated';
import type { Handler } from '../operation';
import { codes, Refusal } from '../refusal';
import { allMethods, publicMethods, tokenTemplates } from './templates';

/** `sortParam` filters the methods by a part of their name. */
export const getTokenApiList: Handler = ({ parameters, platform: { behaviour } }) => {
  const offered = parameters.flag('showPrivate') === true ? allMethods : publicMethods(behaviour.privateMethods);
  const part = (parameters.optionalText('sortParam') ?? '').toLowerCase();
  const methods = offered.filter((method) => method.toLowerCase().includes(part));
  return Promise.resolve(
    behaviour.methodLists === 'apiList' ? { apiList: methods } : { tokenPermissions: permissionRows(methods) },
  );
};

const permissionRows = (methods: readonly string[]): readonly object[] =>
  methods.map((method, index) => ({
    id: index + 1,
    method,
    isCollaborationAccessible: method.startsWith('environment.'),
    isSafe: /\.(Get|Read|Check)\w*$/u.test(method),
    useObjectHash: false,
  }));

export const getTokenTemplates: Handler = () => Promise.resolve({ templates: tokenTemplates });

interface Policy {
  readonly uniqueName: string;
  readonly behavior: readonly [string, number];
  readonly roleId: number;
  readonly methods: readonly string[];
}

const policies: readonly Policy[] = [
  { uniqueName: 'tokens-allowed', behavior: ['ALLOW', 0], roleId: 1, methods: publicMethods('few') },
  {
    uniqueName: 'tokens-denied',
    behavior: ['DENY', 1],
    roleId: 2,
    methods: allMethods.filter((method) => !publicMethods('few').includes(method)),
  },
];

/** Returns the policy with this ID, or everything that is permitted without an ID. */
export const getPolicyMethods: Handler = ({ parameters, platform }) => {
  const wanted = parameters.optionalText('uniqueName') ?? 'tokens-allowed';
  const policy = policies.find(({ uniqueName }) => uniqueName === wanted);
  if (policy === undefined) throw new Refusal(codes.notFound, `policy [${wanted}] not found`, {}, 'hx-core');
  return Promise.resolve({
    behavior: enumerated(platform.behaviour.enums, ...policy.behavior),
    roleId: policy.roleId,
    tokenPermissions: permissionRows(policy.methods),
  });
};
