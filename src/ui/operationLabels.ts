import { l10n } from 'vscode';
import type { OperationName } from '../platform/contract';

/** The user-facing names of operations, for the start of a sentence. */
const labels: Readonly<Record<OperationName | 'Uploader', () => string>> = {
  Signin: () => l10n.t('Signing in'),
  Signout: () => l10n.t('Signing out'),
  SignoutSessions: () => l10n.t('Signing out the sessions of access tokens'),
  GetSessions: () => l10n.t('Listing the open sessions'),
  CreateToken: () => l10n.t('Making an access token'),
  EditToken: () => l10n.t('Changing an access token'),
  RegenerateToken: () => l10n.t('Regenerating an access token'),
  DeleteTokens: () => l10n.t('Deleting access tokens'),
  GetTokens: () => l10n.t('Listing the access tokens'),
  GetTokenTemplates: () => l10n.t('Listing the templates of access tokens'),
  GetTokenApiList: () => l10n.t('Listing the methods of access tokens'),
  GetPolicyMethods: () => l10n.t('Reading a token policy'),
  GetEnvs: () => l10n.t('Listing the environments'),
  GetEnvInfo: () => l10n.t('Looking at an environment'),
  CreateProject: () => l10n.t('Creating the project'),
  DeleteProject: () => l10n.t('Deleting the project'),
  EditProject: () => l10n.t('Changing the project'),
  GetProject: () => l10n.t('Looking at the project'),
  Update: () => l10n.t('Deploying the project'),
  GetList: () => l10n.t('Listing a folder'),
  Read: () => l10n.t('Reading a file'),
  Write: () => l10n.t('Writing a file'),
  Append: () => l10n.t('Appending to a file'),
  ReplaceInBody: () => l10n.t('Replacing in a file'),
  Create: () => l10n.t('Making a file or folder'),
  Delete: () => l10n.t('Deleting'),
  Rename: () => l10n.t('Renaming'),
  Copy: () => l10n.t('Copying'),
  Upload: () => l10n.t('Uploading to the container'),
  Uploader: () => l10n.t('Uploading to the platform'),
  UnpackById: () => l10n.t('Unpacking'),
  UnpackByType: () => l10n.t('Unpacking on all nodes of a type'),
  AddFavorite: () => l10n.t('Adding a favorite'),
  GetFavorites: () => l10n.t('Listing the favorites'),
  RemoveFavorite: () => l10n.t('Removing a favorite'),
  AddMountPointById: () => l10n.t('Mounting on a node'),
  AddMountPointByGroup: () => l10n.t('Mounting on a layer'),
  GetMountPoints: () => l10n.t('Listing the mount points'),
  RemoveMountPointById: () => l10n.t('Unmounting on a node'),
  RemoveMountPointByGroup: () => l10n.t('Unmounting on a layer'),
  GetExportedList: () => l10n.t('Listing the exports'),
  RemoveExport: () => l10n.t('Stopping an export'),
  CheckCrossMount: () => l10n.t('Asking whether two nodes may share data'),
};

export function operationLabel(operation: string): string {
  return isKnown(operation) ? labels[operation]() : operation;
}

function isKnown(operation: string): operation is keyof typeof labels {
  return Object.hasOwn(labels, operation);
}
