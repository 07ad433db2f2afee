import { enumerated } from '../enumerated';
import type { Handler } from '../operation';
import { codes, Refusal } from '../refusal';
import { allMethods, publicMethods, tokenTemplates } from './templates';

/** `sortParam` narrows the list to methods whose name holds it. */
export const getTokenApiList: Handler = ({ parameters }) => {
  const methods = parameters.flag('showPrivate') === true ? allMethods : publicMethods;
  const part = (parameters.optionalText('sortParam') ?? '').toLowerCase();
  return Promise.resolve({ apiList: methods.filter((method) => method.toLowerCase().includes(part)) });
};

export const getTokenTemplates: Handler = () => Promise.resolve({ templates: tokenTemplates });

interface Policy {
  readonly uniqueName: string;
  readonly behavior: readonly [string, number];
  readonly roleId: number;
  readonly methods: readonly string[];
}

const policies: readonly Policy[] = [
  { uniqueName: 'tokens-allowed', behavior: ['ALLOW', 0], roleId: 1, methods: publicMethods },
  {
    uniqueName: 'tokens-denied',
    behavior: ['DENY', 1],
    roleId: 2,
    methods: allMethods.filter((method) => !publicMethods.includes(method)),
  },
];

/** One policy by its id; without an id all that is allowed. */
export const getPolicyMethods: Handler = ({ parameters, platform }) => {
  const wanted = parameters.optionalText('uniqueName') ?? 'tokens-allowed';
  const policy = policies.find(({ uniqueName }) => uniqueName === wanted);
  if (policy === undefined) throw new Refusal(codes.notFound, `policy [${wanted}] not found`, {}, 'hx-core');
  return Promise.resolve({
    behavior: enumerated(platform.behaviour.enums, ...policy.behavior),
    roleId: policy.roleId,
    tokenPermissions: policy.methods.map((method, index) => ({
      id: index + 1,
      method,
      isCollaborationAccessible: method.startsWith('environment.'),
      isSafe: /\.(Get|Read|Check)\w*$/u.test(method),
      useObjectHash: false,
    })),
  });
};
