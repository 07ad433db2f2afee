import { l10n } from 'vscode';
import type { OperationName } from '../platform/contract';

/** The user-facing names of operations, for the start of a sentence. */
const labels: Readonly<Record<OperationName | 'Uploader', () => string>> = {
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
  GetEnvInfo: () => l10n.t("Couldn't read the environment"),
  CreateProject: () => l10n.t("Couldn't create the project"),
  DeleteProject: () => l10n.t("Couldn't delete the project"),
  EditProject: () => l10n.t("Couldn't change the project"),
  GetProject: () => l10n.t("Couldn't read the project"),
  Update: () => l10n.t("Couldn't deploy the project"),
  GetList: () => l10n.t("Couldn't list the folder"),
  Read: () => l10n.t("Couldn't read the file"),
  Write: () => l10n.t("Couldn't write the file"),
  Append: () => l10n.t("Couldn't append to the file"),
  ReplaceInBody: () => l10n.t("Couldn't replace text in the file"),
  Create: () => l10n.t("Couldn't create the file or folder"),
  Delete: () => l10n.t("Couldn't delete the file or folder"),
  Rename: () => l10n.t("Couldn't rename the file or folder"),
  Copy: () => l10n.t("Couldn't copy the file or folder"),
  Upload: () => l10n.t("Couldn't upload the file to the container"),
  Uploader: () => l10n.t("Couldn't upload the file to the platform"),
  UnpackById: () => l10n.t("Couldn't unpack the archive"),
  UnpackByType: () => l10n.t("Couldn't unpack the archive on all nodes of this type"),
  AddFavorite: () => l10n.t("Couldn't add the favorite"),
  GetFavorites: () => l10n.t("Couldn't list the favorites"),
  RemoveFavorite: () => l10n.t("Couldn't remove the favorite"),
  AddMountPointById: () => l10n.t("Couldn't mount on the node"),
  AddMountPointByGroup: () => l10n.t("Couldn't mount on the layer"),
  GetMountPoints: () => l10n.t("Couldn't list the mount points"),
  RemoveMountPointById: () => l10n.t("Couldn't unmount on the node"),
  RemoveMountPointByGroup: () => l10n.t("Couldn't unmount on the layer"),
  GetExportedList: () => l10n.t("Couldn't list the exports"),
  RemoveExport: () => l10n.t("Couldn't stop the export"),
  CheckCrossMount: () => l10n.t("Couldn't check whether the nodes can share data"),
};

export function operationLabel(operation: string): string {
  return isKnown(operation) ? labels[operation]() : operation;
}

function isKnown(operation: string): operation is keyof typeof labels {
  return Object.hasOwn(labels, operation);
}
