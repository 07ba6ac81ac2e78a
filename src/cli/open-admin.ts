// The way to the operator's commands: the running server's admin socket when it answers, else
// the data directory itself, opened for the moment. The house is loaded only for the latter.

import type { Config } from "../config/index.ts";
import { adminSocketPath } from "../data-directory/index.ts";
import type { Admin } from "../service/index.ts";
import { CommandError, EXIT } from "./command.ts";
import { connectAdmin, type RemoteAdmin } from "./remote-admin.ts";

export type AdminOpening = {
  readonly dataDirectory: string;
  readonly config: () => Promise<Config>;
};

export type OpenedAdmin = { readonly admin: Admin; close(): Promise<void> };

export async function openAdmin(opening: AdminOpening): Promise<OpenedAdmin> {
  const admin = await connectAdmin(adminSocketPath(opening.dataDirectory));
  if (admin !== undefined) return { admin, close: async () => {} };
  return await openLocally(opening);
}

/** For commands that only make sense while a server runs. */
export async function openRunning(dataDirectory: string): Promise<RemoteAdmin> {
  const remote = await connectAdmin(adminSocketPath(dataDirectory));
  if (remote !== undefined) return remote;
  throw new CommandError(
    `No server runs on ${dataDirectory}. Start one with \`hearth serve\`, or name its data directory with --data.`,
    EXIT.noServer,
  );
}

async function openLocally({ dataDirectory, config }: AdminOpening): Promise<OpenedAdmin> {
  const settings = await config();
  const { createAdmin, openState } = await import("../service/index.ts");
  const { StoreBusy } = await import("../store/index.ts");
  try {
    const state = await openState({
      config: settings,
      dataDirectory,
      onProblem: (problem) => process.stderr.write(`hearth: ${problem.message}\n`),
    });
    const { host, port, public_url } = settings.http;
    const admin = createAdmin({
      provisioning: state.provisioning,
      catalog: state.catalog,
      ledger: state.store.ledger,
      baseUrl: () => public_url ?? `http://${host}:${port}`,
    });
    return { admin, close: () => state.store.close() };
  } catch (error) {
    if (!(error instanceof StoreBusy)) throw error;
    throw new CommandError(
      `A server holds ${dataDirectory}, but its admin socket does not answer: is admin.socket off, or is it still starting?`,
      EXIT.noServer,
    );
  }
}
