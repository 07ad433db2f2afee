import connect from 'undici/lib/api/api-connect';
import request from 'undici/lib/api/api-request';
import Dispatcher from 'undici/lib/dispatcher/dispatcher';

// undici's own entry does this, and brings its fetch, caches, mocks and web sockets along: half of the whole, and unused here.
Object.assign(Dispatcher.prototype, { connect, request });

export { default as buildConnector } from 'undici/lib/core/connect';
export { default as Pool } from 'undici/lib/dispatcher/pool';
export { default as ProxyAgent } from 'undici/lib/dispatcher/proxy-agent';
