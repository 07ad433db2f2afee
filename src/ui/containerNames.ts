import { l10n } from 'vscode';

/** As the dashboard calls them. */
const layerNames: Readonly<Record<string, string>> = {
  bl: 'Load Balancer',
  cp: 'Application Servers',
  sqldb: 'SQL Databases',
  nosqldb: 'NoSQL Databases',
  cache: 'Cache',
  storage: 'Storage',
  build: 'Build Node',
  vps: 'VPS',
};

/** What a layer is called that the platform gives no name. */
export function layerName(id: string): string {
  return layerNames[id] ?? id;
}

/** What a node is called that the platform gives no name. */
export function nodeName(id: number): string {
  return l10n.t('Node {0}', id);
}
