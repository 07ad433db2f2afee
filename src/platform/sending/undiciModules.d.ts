declare module 'undici/lib/dispatcher/dispatcher' {
  import { Dispatcher } from 'undici';
  export = Dispatcher;
}

declare module 'undici/lib/dispatcher/pool' {
  import { Pool } from 'undici';
  export = Pool;
}

declare module 'undici/lib/dispatcher/proxy-agent' {
  import { ProxyAgent } from 'undici';
  export = ProxyAgent;
}

declare module 'undici/lib/core/connect' {
  import { buildConnector } from 'undici';
  export = buildConnector;
}

declare module 'undici/lib/api/api-connect' {
  import type { Dispatcher } from 'undici';
  const connect: Dispatcher['connect'];
  export = connect;
}

declare module 'undici/lib/api/api-request' {
  import type { Dispatcher } from 'undici';
  const request: Dispatcher['request'];
  export = request;
}
