import { createServer } from 'node:http';
import * as v from 'valibot';
import { lm } from 'vscode';
import type { ToolName } from '../../../src/manifest';
import { listenOnLoopback } from '../../localPlatform/server/loopback';
import type { RecordedCall } from './agentTasks';
import { callOrFail, fact } from './callTool';

/** A model that is reached as many servers for models can be: by `POST …/chat/completions`. */
export interface ChatModel {
  readonly url: string;
  readonly name: string;
  readonly key: string;
}

interface Message {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: unknown;
  readonly tool_call_id?: string;
}

const answerSchema = v.object({
  choices: v.tupleWithRest(
    [
      v.object({
        message: v.looseObject({
          content: v.nullish(v.string()),
          tool_calls: v.optional(
            v.array(v.looseObject({ id: v.string(), function: v.object({ name: v.string(), arguments: v.string() }) })),
            [],
          ),
        }),
      }),
    ],
    v.unknown(),
  ),
});

const instructions =
  'You help a developer with hosting environments, by the tools that you have. Do exactly what is asked. Then answer in a few sentences.';
const mostRounds = 25;

/** Has a model do a task with Gantry's tools. Returns its answer, and what the tools returned. */
export async function doTask(
  task: string,
  model: ChatModel,
  onCall: (count: number) => Promise<unknown>,
): Promise<{ readonly answer: string; readonly results: readonly string[] }> {
  const tools = lm.tools
    .filter(({ tags }) => tags.includes('gantry'))
    .map(({ name, description, inputSchema }) => ({
      type: 'function',
      function: { name, description, parameters: inputSchema },
    }));
  const messages: Message[] = [
    { role: 'system', content: instructions },
    { role: 'user', content: task },
  ];
  const results: string[] = [];
  for (let round = 0; round < mostRounds; round += 1) {
    const response = await fetch(`${model.url.replace(/\/$/, '')}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${model.key}` },
      body: JSON.stringify({ model: model.name, messages, tools }),
    });
    if (!response.ok) {
      throw new Error(`the model answered ${response.status}: ${await response.text()}`);
    }
    const { message } = v.parse(answerSchema, await response.json()).choices[0];
    if (message.tool_calls.length === 0) {
      return { answer: message.content ?? '', results };
    }
    messages.push({ role: 'assistant', content: message.content ?? null, tool_calls: message.tool_calls });
    for (const { id, function: called } of message.tool_calls) {
      const input: unknown = JSON.parse(called.arguments);

      const result = await callOrFail(called.name as ToolName, input ?? {});
      results.push(result);
      messages.push({ role: 'tool', content: result, tool_call_id: id });
      await onCall(results.length);
    }
  }
  throw new Error(`the model didn't finish within ${mostRounds} rounds`);
}

const askedSchema = v.object({
  messages: v.array(v.looseObject({ role: v.string(), content: v.nullish(v.string()) })),
});

/** Serves a model that makes recorded calls, one after the other. */
export async function startRecordedModel(
  calls: readonly RecordedCall[],
  nodes: readonly string[],
): Promise<ChatModel & { close(): void }> {
  let next = 0;
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { messages } = v.parse(askedSchema, JSON.parse(Buffer.concat(parts).toString()));
      const returned = messages.filter(({ role }) => role === 'tool').map(({ content }) => content ?? '');
      const version = returned.map((result) => fact(result, 'version')).findLast((found) => found !== '') ?? '';
      const [mask = ''] = /masked-by-gantry-[0-9a-f]{12}/.exec(returned.join('\n')) ?? [];
      const call = calls[next];
      next += 1;
      const filled = (json: string) =>
        json
          .replaceAll('{version}', version)
          .replaceAll('{mask}', mask)
          .replaceAll(/\{(\d)\}/g, (_, index: string) => nodes[Number(index)] ?? '');
      const message =
        call === undefined
          ? { role: 'assistant', content: returned.at(-1) ?? '' }
          : {
              role: 'assistant',
              content: null,
              tool_calls: [
                {
                  id: `call${next}`,
                  type: 'function',
                  function: { name: call.tool, arguments: filled(JSON.stringify(call.input)) },
                },
              ],
            };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ choices: [{ message }] }));
    });
  });
  const port = await listenOnLoopback(server);
  return {
    url: `http://127.0.0.1:${port}/v1`,
    name: 'recorded',
    key: 'none',
    close: () => server.closeAllConnections(),
  };
}
