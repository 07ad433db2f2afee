import type { ToolName } from '../../manifest';
import type { Services } from '../../services';
import type { AgentTool } from './agentTool';
import { compareNodesTool, findInFolderTool, listFolderTool, readFileTool } from './fileTools';
import { editFileTool } from './editFileTool';
import { readLogTool, restartTool } from './nodeTools';
import { deployedCommitTool, redeployTool } from './projectTools';
import { ToolPlaces } from './toolPlaces';

/** The tools by the names that package.json declares. */
export function agentTools(services: Services): Readonly<Record<ToolName, AgentTool>> {
  const places = new ToolPlaces(services);
  return {
    gantry_listFolder: listFolderTool(places, services),
    gantry_readFile: readFileTool(places, services),
    gantry_findInFolder: findInFolderTool(places, services),
    gantry_compareNodes: compareNodesTool(places, services),
    gantry_editFile: editFileTool(places, services),
    gantry_deployedCommit: deployedCommitTool(services),
    gantry_redeploy: redeployTool(services),
    gantry_readLog: readLogTool(places, services),
    gantry_restart: restartTool(places, services),
  };
}
