import { l10n } from 'vscode';
import type { OperationName } from '../platform/contract';

/** What couldn't be done, for the start of a sentence. Most name their object. */
const labels: Readonly<Record<OperationName | 'Uploader', (object?: string) => string>> = {
  Signin: () => l10n.t("Couldn't sign in"),
  Signout: () => l10n.t("Couldn't sign out"),
  SignoutSessions: () => l10n.t("Couldn't sign out the token sessions"),
  GetSessions: () => l10n.t("Couldn't list the sessions"),
  CreateToken: () => l10n.t("Couldn't create the access token"),
  EditToken: () => l10n.t("Couldn't edit the access token"),
  RegenerateToken: () => l10n.t("Couldn't regenerate the access token"),
  DeleteTokens: () => l10n.t("Couldn't delete the access tokens"),
  GetTokens: () => l10n.t("Couldn't list the access tokens"),
  GetTokenTemplates: () => l10n.t("Couldn't list the access token templates"),
  GetTokenApiList: () => l10n.t("Couldn't list the access token methods"),
  GetPolicyMethods: () => l10n.t("Couldn't read the token policies"),
  GetEnvs: () => l10n.t("Couldn't list the environments"),
  GetEnvInfo: (object = l10n.t('the environment')) => l10n.t("Couldn't read {0}", object),
  GetUserInfo: () => l10n.t("Couldn't read your user ID"),
  RestartServices: (object = l10n.t('the node')) => l10n.t("Couldn't restart the service on {0}", object),
  GetCurrentActions: () => l10n.t("Couldn't list the platform's current tasks"),
  GetLogs: (object = l10n.t('the node')) => l10n.t("Couldn't list the logs of {0}", object),
  ReadLog: (object = l10n.t('the log')) => l10n.t("Couldn't read {0}", object),
  GetContainerEnvVars: (object = l10n.t('the node')) => l10n.t("Couldn't read the variables of {0}", object),
  AddContainerEnvVars: (object = l10n.t('the node')) => l10n.t("Couldn't set the variables of {0}", object),
  RemoveContainerEnvVars: (object = l10n.t('the node')) => l10n.t("Couldn't remove variables of {0}", object),
  CreateProject: (object = l10n.t('the project')) => l10n.t("Couldn't create {0}", object),
  DeleteProject: (object = l10n.t('the project')) => l10n.t("Couldn't delete {0}", object),
  EditProject: (object = l10n.t('the project')) => l10n.t("Couldn't change {0}", object),
  GetProject: (object = l10n.t('the project')) => l10n.t("Couldn't read {0}", object),
  Update: (object = l10n.t('the project')) => l10n.t("Couldn't deploy {0}", object),
  GetList: (object = l10n.t('the folder')) => l10n.t("Couldn't list {0}", object),
  Read: (object = l10n.t('the file')) => l10n.t("Couldn't read {0}", object),
  Write: (object = l10n.t('the file')) => l10n.t("Couldn't write {0}", object),
  Append: (object = l10n.t('the file')) => l10n.t("Couldn't append to {0}", object),
  ReplaceInBody: (object = l10n.t('the file')) => l10n.t("Couldn't replace text in {0}", object),
  Create: (object = l10n.t('the file or folder')) => l10n.t("Couldn't create {0}", object),
  Delete: (object = l10n.t('the file or folder')) => l10n.t("Couldn't delete {0}", object),
  Rename: (object = l10n.t('the file or folder')) => l10n.t("Couldn't rename {0}", object),
  Copy: (object = l10n.t('the file or folder')) => l10n.t("Couldn't copy {0}", object),
  Upload: (object = l10n.t('the container')) => l10n.t("Couldn't upload to {0}", object),
  Uploader: () => l10n.t("Couldn't upload the file to the platform"),
  UnpackById: (object = l10n.t('the archive')) => l10n.t("Couldn't unpack {0}", object),
  UnpackByType: (object = l10n.t('the archive')) => l10n.t("Couldn't unpack {0}", object),
  AddFavorite: () => l10n.t("Couldn't add the favorite"),
  GetFavorites: () => l10n.t("Couldn't list the favorites"),
  RemoveFavorite: () => l10n.t("Couldn't remove the favorite"),
  AddMountPointById: (object = l10n.t('the folder')) => l10n.t("Couldn't mount {0}", object),
  AddMountPointByGroup: (object = l10n.t('the folder')) => l10n.t("Couldn't mount {0}", object),
  GetMountPoints: () => l10n.t("Couldn't list the mount points"),
  RemoveMountPointById: (object = l10n.t('the folder')) => l10n.t("Couldn't unmount {0}", object),
  RemoveMountPointByGroup: (object = l10n.t('the folder')) => l10n.t("Couldn't unmount {0}", object),
  GetExportedList: () => l10n.t("Couldn't list the exports"),
  RemoveExport: () => l10n.t("Couldn't stop the export"),
  CheckCrossMount: () => l10n.t("Couldn't check whether the nodes can share data"),
};

export function operationLabel(operation: string, object?: string): string {
  return isKnown(operation) ? labels[operation](object) : operation;
}

function isKnown(operation: string): operation is keyof typeof labels {
  return Object.hasOwn(labels, operation);
}
