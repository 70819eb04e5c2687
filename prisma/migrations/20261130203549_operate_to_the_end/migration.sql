-- AlterTable
ALTER TABLE "environment" ADD COLUMN     "removed_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "privacy_probe" (
    "deployment_id" UUID NOT NULL,
    "verdict" TEXT NOT NULL,
    "sentence" TEXT NOT NULL,
    "evidence" JSONB NOT NULL DEFAULT '[]',
    "at" TIMESTAMPTZ(3) NOT NULL,
    "leased_until" TIMESTAMPTZ(3),

    CONSTRAINT "privacy_probe_pkey" PRIMARY KEY ("deployment_id")
);

-- CreateTable
CREATE TABLE "health_sample" (
    "deployment_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "restarts" INTEGER NOT NULL DEFAULT 0,
    "oom_kills" INTEGER NOT NULL DEFAULT 0,
    "pages" INTEGER NOT NULL DEFAULT 0,
    "truncated" INTEGER NOT NULL DEFAULT 0,
    "running" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "waiting" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "kv_use" DOUBLE PRECISION,
    "latency_sum" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "latency_count" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "seconds" DOUBLE PRECISION NOT NULL DEFAULT 0,

    CONSTRAINT "health_sample_pkey" PRIMARY KEY ("deployment_id","at")
);

-- CreateTable
CREATE TABLE "health_counter" (
    "pod_uid" TEXT NOT NULL,
    "deployment_id" UUID NOT NULL,
    "counters" JSONB NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "health_counter_pkey" PRIMARY KEY ("pod_uid")
);

-- CreateTable
CREATE TABLE "alert_rule" (
    "environment_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "threshold" INTEGER NOT NULL,
    "updated_by_id" UUID,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "alert_rule_pkey" PRIMARY KEY ("environment_id","kind")
);

-- CreateTable
CREATE TABLE "alert" (
    "id" UUID NOT NULL,
    "deployment_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "sentence" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "alert_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "scaler" (
    "deployment_id" UUID NOT NULL,
    "owner" TEXT NOT NULL DEFAULT 'lectern',
    "min_replicas" INTEGER NOT NULL,
    "max_replicas" INTEGER NOT NULL,
    "pages_per_replica" INTEGER NOT NULL,
    "spare_since" TIMESTAMPTZ(3),
    "changed_at" TIMESTAMPTZ(3) NOT NULL,
    "sentence" TEXT NOT NULL DEFAULT '',
    "updated_by_id" UUID,

    CONSTRAINT "scaler_pkey" PRIMARY KEY ("deployment_id")
);

-- CreateTable
CREATE TABLE "environment_template" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "cluster_id" UUID NOT NULL,
    "spec" JSONB NOT NULL,
    "roles" JSONB NOT NULL DEFAULT '[]',
    "hours_to_live" INTEGER NOT NULL,
    "idle_minutes" INTEGER NOT NULL,
    "retention_hours" INTEGER NOT NULL DEFAULT 24,
    "budget" DECIMAL(12,2),
    "forge" TEXT NOT NULL,
    "repository" TEXT NOT NULL,
    "api_url" TEXT NOT NULL,
    "sealed_secret" BYTEA NOT NULL,
    "sealed_token" BYTEA,
    "created_by_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "environment_template_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "pull_request_environment" (
    "id" UUID NOT NULL,
    "template_id" UUID NOT NULL,
    "environment_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "title" TEXT NOT NULL DEFAULT '',
    "url" TEXT NOT NULL DEFAULT '',
    "commit" TEXT NOT NULL DEFAULT '',
    "state" TEXT NOT NULL DEFAULT 'opening',
    "message" TEXT NOT NULL DEFAULT '',
    "end_reason" TEXT,
    "opened_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "removed_at" TIMESTAMPTZ(3),
    "proof" JSONB,
    "commented" TEXT NOT NULL DEFAULT '',
    "comment_id" TEXT,
    "comment_note" TEXT NOT NULL DEFAULT '',
    "leased_until" TIMESTAMPTZ(3),

    CONSTRAINT "pull_request_environment_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "hook_delivery" (
    "digest" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "hook_delivery_pkey" PRIMARY KEY ("digest")
);

-- CreateIndex
CREATE INDEX "health_sample_at_idx" ON "health_sample"("at");

-- CreateIndex
CREATE INDEX "health_counter_deployment_id_idx" ON "health_counter"("deployment_id");

-- CreateIndex
CREATE INDEX "health_counter_at_idx" ON "health_counter"("at");

-- CreateIndex
CREATE INDEX "alert_deployment_id_started_at_idx" ON "alert"("deployment_id", "started_at");

-- CreateIndex
CREATE UNIQUE INDEX "environment_template_name_key" ON "environment_template"("name");

-- CreateIndex
CREATE UNIQUE INDEX "pull_request_environment_environment_id_key" ON "pull_request_environment"("environment_id");

-- CreateIndex
CREATE INDEX "pull_request_environment_template_id_idx" ON "pull_request_environment"("template_id");

-- CreateIndex
CREATE INDEX "pull_request_environment_state_idx" ON "pull_request_environment"("state");

-- CreateIndex
CREATE INDEX "hook_delivery_at_idx" ON "hook_delivery"("at");

-- AddForeignKey
ALTER TABLE "privacy_probe" ADD CONSTRAINT "privacy_probe_deployment_id_fkey" FOREIGN KEY ("deployment_id") REFERENCES "deployment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "health_sample" ADD CONSTRAINT "health_sample_deployment_id_fkey" FOREIGN KEY ("deployment_id") REFERENCES "deployment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "alert_rule" ADD CONSTRAINT "alert_rule_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "alert" ADD CONSTRAINT "alert_deployment_id_fkey" FOREIGN KEY ("deployment_id") REFERENCES "deployment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "scaler" ADD CONSTRAINT "scaler_deployment_id_fkey" FOREIGN KEY ("deployment_id") REFERENCES "deployment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "environment_template" ADD CONSTRAINT "environment_template_cluster_id_fkey" FOREIGN KEY ("cluster_id") REFERENCES "cluster"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pull_request_environment" ADD CONSTRAINT "pull_request_environment_template_id_fkey" FOREIGN KEY ("template_id") REFERENCES "environment_template"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pull_request_environment" ADD CONSTRAINT "pull_request_environment_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- One open alert of a kind, and one environment of a pull request at a time: whoever inserts the row acts on it.
CREATE UNIQUE INDEX "alert_open" ON "alert" ("deployment_id", "kind") WHERE "ended_at" IS NULL;
CREATE UNIQUE INDEX "pull_request_environment_alive" ON "pull_request_environment" ("template_id", "number") WHERE "state" <> 'removed';
