import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The contract's tables, copied from its document. */
export interface ContractTable {
  readonly areas: Readonly<Record<string, { readonly base: string }>>;
  readonly limits: {
    readonly filter: { readonly maximumLength: number; readonly operations: readonly string[] };
    readonly expiresAt: { readonly pattern: string; readonly operations: readonly string[] };
  };
  readonly operations: readonly TableOperation[];
  readonly responses: Readonly<Record<string, readonly TableField[]>>;
  readonly resources: Readonly<Record<string, readonly TableField[]>>;
}

export interface TableOperation {
  readonly name: string;
  readonly area: string;
  readonly suffix: string;
  readonly parameters: readonly TableParameter[];
  readonly response: string;
}

export interface TableParameter {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly values?: readonly string[];
}

export interface TableField {
  readonly name: string;
  readonly type: string;
  readonly of?: string;
  /** The fields of the resource in this response. All fields if undefined. */
  readonly fields?: readonly string[];
  readonly values?: Readonly<Record<string, number>>;
}

export const table = JSON.parse(
  readFileSync(join(__dirname, '../../contract/operations.json'), 'utf8'),
) as ContractTable;
