// Two renders of an invented platform of any size, with a bit of everything
// between them.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const namespaces = ["shop", "payments", "search", "mail", "platform", "observability"];
const kinds = ["Deployment", "Deployment", "StatefulSet", "Deployment", "DaemonSet", "Deployment", "CronJob", "Deployment", "Job", "Deployment", "Deployment"];
const names = ["gateway", "orders", "cart", "ledger", "indexer", "mailer", "agent", "sync", "report", "auth"];

function workload(i, changed) {
  const name = names[i % 10] + (i < 10 ? "" : `-${Math.floor(i / 10)}`);
  const kind = kinds[i % 11];
  const metadata = { name, namespace: namespaces[i % 6] };
  const template = {
    metadata: { labels: { app: name, "helm.sh/chart": changed && i % 11 === 0 ? "app-2" : "app-1" } },
    spec: { containers: [{ name, image: `registry.example.com/${name}:${changed && i % 9 === 0 ? 2 : 1}`, envFrom: [{ configMapRef: { name } }] }] },
  };
  const spec = kind === "CronJob" ? { jobTemplate: { spec: { template } } } : { template };
  if (kind === "Deployment" && i % 7 === 0) spec.strategy = { type: "Recreate" };
  if (kind === "Deployment" || kind === "StatefulSet") spec.replicas = 1 + (i % 5) + (changed && i % 13 === 5 ? 1 : 0);
  const config = {
    apiVersion: "v1", kind: "ConfigMap", metadata,
    data: { LOG_LEVEL: changed && (i * 7) % 10 < 3 ? "debug" : "info", CACHE_SIZE: "100" },
  };
  const gone = changed ? i % 50 === 49 : i % 60 === 59;
  const apiVersion = kind === "Job" || kind === "CronJob" ? "batch/v1" : "apps/v1";
  return gone ? [config] : [config, { apiVersion, kind, metadata, spec }];
}

// sides writes both renders and returns their paths.
export function sides(n) {
  const dir = mkdtempSync(join(tmpdir(), "restamp-sides-"));
  process.on("exit", () => rmSync(dir, { recursive: true }));
  return [false, true].map((changed) => {
    const path = join(dir, changed ? "new.yaml" : "old.yaml");
    const objects = Array.from({ length: n }, (_, i) => workload(i, changed)).flat();
    writeFileSync(path, objects.map((o) => JSON.stringify(o) + "\n").join("---\n"));
    return path;
  });
}
