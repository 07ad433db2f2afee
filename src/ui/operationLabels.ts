import { l10n } from 'vscode';
import type { OperationName } from '../platform/contract';

/** How a message begins: with what failed, and with the object's name if there is one. */
interface OperationLabel {
  readonly alone: () => string;
  readonly of?: (object: string) => string;
}

const labels: Readonly<Record<OperationName | 'Uploader', OperationLabel>> = {
  Signin: { alone: () => l10n.t("Couldn't sign in") },
  Signout: { alone: () => l10n.t("Couldn't sign out") },
  SignoutSessions: { alone: () => l10n.t("Couldn't sign out the token sessions") },
  GetSessions: { alone: () => l10n.t("Couldn't list the sessions") },
  CreateToken: { alone: () => l10n.t("Couldn't create the access token") },
  EditToken: { alone: () => l10n.t("Couldn't edit the access token") },
  RegenerateToken: { alone: () => l10n.t("Couldn't regenerate the access token") },
  DeleteTokens: { alone: () => l10n.t("Couldn't delete the access tokens") },
  GetTokens: { alone: () => l10n.t("Couldn't list the access tokens") },
  GetTokenTemplates: { alone: () => l10n.t("Couldn't list the access token templates") },
  GetTokenApiList: { alone: () => l10n.t("Couldn't list the access token methods") },
  GetPolicyMethods: { alone: () => l10n.t("Couldn't read the token policies") },
  GetEnvs: { alone: () => l10n.t("Couldn't list the environments") },
  GetEnvInfo: {
    alone: () => l10n.t("Couldn't read the environment"),
    of: (object) => l10n.t("Couldn't read the environment {0}", object),
  },
  CreateProject: {
    alone: () => l10n.t("Couldn't create the project"),
    of: (object) => l10n.t("Couldn't create the project {0}", object),
  },
  DeleteProject: {
    alone: () => l10n.t("Couldn't delete the project"),
    of: (object) => l10n.t("Couldn't delete the project {0}", object),
  },
  EditProject: {
    alone: () => l10n.t("Couldn't change the project"),
    of: (object) => l10n.t("Couldn't change the project {0}", object),
  },
  GetProject: {
    alone: () => l10n.t("Couldn't read the project"),
    of: (object) => l10n.t("Couldn't read the project {0}", object),
  },
  Update: { alone: () => l10n.t("Couldn't deploy the project"), of: (object) => l10n.t("Couldn't deploy {0}", object) },
  GetList: { alone: () => l10n.t("Couldn't list the folder"), of: (object) => l10n.t("Couldn't list {0}", object) },
  Read: { alone: () => l10n.t("Couldn't read the file"), of: (object) => l10n.t("Couldn't read {0}", object) },
  Write: { alone: () => l10n.t("Couldn't write the file"), of: (object) => l10n.t("Couldn't write {0}", object) },
  Append: {
    alone: () => l10n.t("Couldn't append to the file"),
    of: (object) => l10n.t("Couldn't append to {0}", object),
  },
  ReplaceInBody: {
    alone: () => l10n.t("Couldn't replace text in the file"),
    of: (object) => l10n.t("Couldn't replace text in {0}", object),
  },
  Create: {
    alone: () => l10n.t("Couldn't create the file or folder"),
    of: (object) => l10n.t("Couldn't create {0}", object),
  },
  Delete: {
    alone: () => l10n.t("Couldn't delete the file or folder"),
    of: (object) => l10n.t("Couldn't delete {0}", object),
  },
  Rename: {
    alone: () => l10n.t("Couldn't rename or move the file or folder"),
    of: (object) => l10n.t("Couldn't rename or move {0}", object),
  },
  Copy: {
    alone: () => l10n.t("Couldn't copy the file or folder"),
    of: (object) => l10n.t("Couldn't copy {0}", object),
  },
  Upload: {
    alone: () => l10n.t("Couldn't upload the file to the container"),
    of: (object) => l10n.t("Couldn't upload {0}", object),
  },
  Uploader: {
    alone: () => l10n.t("Couldn't upload the file to the platform"),
    of: (object) => l10n.t("Couldn't upload {0} to the platform", object),
  },
  UnpackById: {
    alone: () => l10n.t("Couldn't unpack the archive"),
    of: (object) => l10n.t("Couldn't unpack {0}", object),
  },
  UnpackByType: {
    alone: () => l10n.t("Couldn't unpack the archive on all nodes of this type"),
    of: (object) => l10n.t("Couldn't unpack {0} on all nodes of this type", object),
  },
  AddFavorite: {
    alone: () => l10n.t("Couldn't add the favorite"),
    of: (object) => l10n.t("Couldn't add {0} to the favorites", object),
  },
  GetFavorites: { alone: () => l10n.t("Couldn't list the favorites") },
  RemoveFavorite: {
    alone: () => l10n.t("Couldn't remove the favorite"),
    of: (object) => l10n.t("Couldn't remove {0} from the favorites", object),
  },
  AddMountPointById: {
    alone: () => l10n.t("Couldn't mount on the node"),
    of: (object) => l10n.t("Couldn't mount {0}", object),
  },
  AddMountPointByGroup: {
    alone: () => l10n.t("Couldn't mount on the layer"),
    of: (object) => l10n.t("Couldn't mount {0}", object),
  },
  GetMountPoints: {
    alone: () => l10n.t("Couldn't list the mount points"),
    of: (object) => l10n.t("Couldn't list the mount points of {0}", object),
  },
  RemoveMountPointById: {
    alone: () => l10n.t("Couldn't unmount on the node"),
    of: (object) => l10n.t("Couldn't unmount {0}", object),
  },
  RemoveMountPointByGroup: {
    alone: () => l10n.t("Couldn't unmount on the layer"),
    of: (object) => l10n.t("Couldn't unmount {0}", object),
  },
  GetExportedList: {
    alone: () => l10n.t("Couldn't list the exports"),
    of: (object) => l10n.t("Couldn't list the exports of {0}", object),
  },
  RemoveExport: {
    alone: () => l10n.t("Couldn't stop the export"),
    of: (object) => l10n.t("Couldn't stop exporting {0}", object),
  },
  CheckCrossMount: { alone: () => l10n.t("Couldn't check whether the nodes can share data") },
};

/** Returns what failed, to begin a sentence with: "Couldn't read php.ini on node 66001". */
export function operationLabel(operation: string, object = ''): string {
  if (!isKnown(operation)) {
    return operation;
  }
  const { alone, of } = labels[operation];
  return object === '' || of === undefined ? alone() : of(object);
}

function isKnown(operation: string): operation is keyof typeof labels {
  return Object.hasOwn(labels, operation);
}
