import type { ToolName } from '../manifest';
import type { AgentTool } from './agentTool';
import { compareNodesTool } from './compareNodesTool';
import { type EditFileDeps, editFileTool } from './editFileTool';
import { listFolderTool, readFileTool } from './fileTools';
import { type FindInFolderToolDeps, findInFolderTool } from './findInFolderTool';
import { type NodeToolsDeps, readLogTool, restartTool } from './nodeTools';
import { deployedCommitTool, type ProjectToolsDeps, redeployTool } from './projectTools';

export type AgentToolsDeps = EditFileDeps & FindInFolderToolDeps & NodeToolsDeps & ProjectToolsDeps;

/** The tools by the names that package.json declares. */
export function agentTools(deps: AgentToolsDeps): Readonly<Record<ToolName, AgentTool>> {
  return {
    gantry_listFolder: listFolderTool(deps),
    gantry_readFile: readFileTool(deps),
    gantry_findInFolder: findInFolderTool(deps),
    gantry_compareNodes: compareNodesTool(deps),
    gantry_editFile: editFileTool(deps),
    gantry_deployedCommit: deployedCommitTool(deps),
    gantry_redeploy: redeployTool(deps),
    gantry_readLog: readLogTool(deps),
    gantry_restart: restartTool(deps),
  };
}
