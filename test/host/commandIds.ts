import { type CommandId, commandsOf } from '../../src/commands';

/** Every command of Gantry. */
export const commandIds = Object.values(commandsOf).flatMap((table) => Object.keys(table)) as readonly CommandId[];
