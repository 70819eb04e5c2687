-- CreateTable
CREATE TABLE "user_account" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT,
    "password_hash" TEXT,
    "oidc_issuer" TEXT,
    "oidc_subject" TEXT,
    "groups" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "is_owner" BOOLEAN NOT NULL DEFAULT false,
    "disabled_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "user_account_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "session" (
    "id" UUID NOT NULL,
    "token_hash" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "method" TEXT NOT NULL,
    "ip" TEXT NOT NULL DEFAULT '',
    "user_agent" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "link" (
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "token_hash" TEXT NOT NULL,
    "email" TEXT,
    "grants" JSONB NOT NULL DEFAULT '[]',
    "created_by_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "link_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "access_grant" (
    "id" UUID NOT NULL,
    "environment_id" UUID NOT NULL,
    "role" TEXT NOT NULL,
    "user_id" UUID,
    "group" TEXT,
    "created_by_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "access_grant_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_token" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "token_hash" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "scope" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_token_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "cluster" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "server" TEXT NOT NULL,
    "sealed_credentials" BYTEA NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "cluster_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "environment" (
    "id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "cluster_id" UUID,
    "namespace" TEXT NOT NULL,
    "is_sample" BOOLEAN NOT NULL DEFAULT false,
    "retention_hours" INTEGER NOT NULL DEFAULT 24,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "environment_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "deployment" (
    "id" UUID NOT NULL,
    "environment_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "spec" JSONB NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'working',
    "message" TEXT NOT NULL DEFAULT '',
    "status" JSONB NOT NULL DEFAULT '{}',
    "state_since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "observed_at" TIMESTAMPTZ(3),
    "created_by_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "deployment_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "revision" (
    "id" UUID NOT NULL,
    "deployment_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "spec" JSONB NOT NULL,
    "manifests" JSONB NOT NULL,
    "digest" TEXT NOT NULL,
    "note" TEXT NOT NULL DEFAULT '',
    "created_by_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "revision_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "rollout" (
    "id" UUID NOT NULL,
    "revision_id" UUID NOT NULL,
    "state" TEXT NOT NULL,
    "message" TEXT NOT NULL DEFAULT '',
    "objects" JSONB NOT NULL DEFAULT '[]',
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "rollout_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "document" (
    "id" UUID NOT NULL,
    "environment_id" UUID NOT NULL,
    "owner_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "media_type" TEXT NOT NULL,
    "bytes" BIGINT NOT NULL,
    "sha256" TEXT NOT NULL,
    "pages" JSONB NOT NULL,
    "page_count" INTEGER NOT NULL,
    "storage_key" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "document_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "run" (
    "id" UUID NOT NULL,
    "document_id" UUID NOT NULL,
    "environment_id" UUID NOT NULL,
    "deployment_id" UUID,
    "model_id" TEXT NOT NULL,
    "sku_id" TEXT,
    "mode" TEXT NOT NULL,
    "preset" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'queued',
    "created_by_id" UUID NOT NULL,
    "token_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "run_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "run_page" (
    "id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'queued',
    "reason" TEXT NOT NULL DEFAULT '',
    "sealed_text" BYTEA,
    "text_length" INTEGER NOT NULL DEFAULT 0,
    "width" INTEGER,
    "height" INTEGER,
    "finish_reason" TEXT,
    "model_reported" TEXT,
    "mean_confidence" DOUBLE PRECISION,
    "prompt_tokens" INTEGER,
    "completion_tokens" INTEGER,
    "seconds" DOUBLE PRECISION,
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "leased_until" TIMESTAMPTZ(3),
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "run_page_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "usage_entry" (
    "id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "environment_id" UUID NOT NULL,
    "deployment_id" UUID,
    "model_id" TEXT NOT NULL,
    "sku_id" TEXT,
    "feature" TEXT NOT NULL,
    "user_id" UUID,
    "token_id" UUID,
    "pages" INTEGER NOT NULL,
    "prompt_tokens" INTEGER NOT NULL,
    "completion_tokens" INTEGER NOT NULL,
    "seconds" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "usage_entry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "usage_hour" (
    "id" UUID NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "environment_id" UUID NOT NULL,
    "deployment_key" TEXT NOT NULL DEFAULT '',
    "model_id" TEXT NOT NULL,
    "sku_key" TEXT NOT NULL DEFAULT '',
    "feature" TEXT NOT NULL,
    "pages" INTEGER NOT NULL,
    "prompt_tokens" BIGINT NOT NULL,
    "completion_tokens" BIGINT NOT NULL,
    "seconds" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "usage_hour_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "node_interval" (
    "id" UUID NOT NULL,
    "environment_id" UUID NOT NULL,
    "deployment_id" UUID,
    "pod_uid" TEXT,
    "node" TEXT NOT NULL,
    "sku_id" TEXT NOT NULL,
    "share" DOUBLE PRECISION NOT NULL DEFAULT 1,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "end_source" TEXT NOT NULL DEFAULT 'observed',
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "node_interval_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "live_event" (
    "id" BIGSERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "topic" TEXT NOT NULL,
    "data" JSONB NOT NULL,
    "sealed" BYTEA,

    CONSTRAINT "live_event_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit_event" (
    "sequence" BIGINT NOT NULL,
    "id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "environment_id" UUID,
    "actor_kind" TEXT NOT NULL,
    "actor_id" TEXT,
    "actor_name" TEXT NOT NULL,
    "origin" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "target_type" TEXT,
    "target_id" TEXT,
    "decision" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "record" JSONB NOT NULL,
    "previous_hash" TEXT NOT NULL,
    "hash" TEXT NOT NULL,

    CONSTRAINT "audit_event_pkey" PRIMARY KEY ("sequence")
);

-- CreateTable
CREATE TABLE "setting" (
    "key" TEXT NOT NULL,
    "value" JSONB NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "setting_pkey" PRIMARY KEY ("key")
);

-- CreateIndex
CREATE UNIQUE INDEX "user_account_oidc_issuer_oidc_subject_key" ON "user_account"("oidc_issuer", "oidc_subject");

-- CreateIndex
CREATE UNIQUE INDEX "session_token_hash_key" ON "session"("token_hash");

-- CreateIndex
CREATE INDEX "session_user_id_idx" ON "session"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "link_token_hash_key" ON "link"("token_hash");

-- CreateIndex
CREATE INDEX "access_grant_user_id_idx" ON "access_grant"("user_id");

-- CreateIndex
CREATE INDEX "access_grant_group_idx" ON "access_grant"("group");

-- CreateIndex
CREATE UNIQUE INDEX "access_grant_environment_id_user_id_role_key" ON "access_grant"("environment_id", "user_id", "role");

-- CreateIndex
CREATE UNIQUE INDEX "access_grant_environment_id_group_role_key" ON "access_grant"("environment_id", "group", "role");

-- CreateIndex
CREATE UNIQUE INDEX "api_token_token_hash_key" ON "api_token"("token_hash");

-- CreateIndex
CREATE INDEX "api_token_user_id_idx" ON "api_token"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "cluster_name_key" ON "cluster"("name");

-- CreateIndex
CREATE UNIQUE INDEX "environment_slug_key" ON "environment"("slug");

-- CreateIndex
CREATE INDEX "deployment_environment_id_idx" ON "deployment"("environment_id");

-- CreateIndex
CREATE UNIQUE INDEX "revision_deployment_id_number_key" ON "revision"("deployment_id", "number");

-- CreateIndex
CREATE INDEX "rollout_revision_id_idx" ON "rollout"("revision_id");

-- CreateIndex
CREATE INDEX "document_environment_id_created_at_idx" ON "document"("environment_id", "created_at");

-- CreateIndex
CREATE INDEX "document_expires_at_idx" ON "document"("expires_at");

-- CreateIndex
CREATE INDEX "run_document_id_idx" ON "run"("document_id");

-- CreateIndex
CREATE INDEX "run_state_idx" ON "run"("state");

-- CreateIndex
CREATE INDEX "run_page_state_idx" ON "run_page"("state");

-- CreateIndex
CREATE UNIQUE INDEX "run_page_run_id_number_key" ON "run_page"("run_id", "number");

-- CreateIndex
CREATE INDEX "usage_entry_environment_id_at_idx" ON "usage_entry"("environment_id", "at");

-- CreateIndex
CREATE UNIQUE INDEX "usage_hour_environment_id_hour_deployment_key_model_id_sku__key" ON "usage_hour"("environment_id", "hour", "deployment_key", "model_id", "sku_key", "feature");

-- CreateIndex
CREATE UNIQUE INDEX "node_interval_pod_uid_key" ON "node_interval"("pod_uid");

-- CreateIndex
CREATE INDEX "node_interval_environment_id_started_at_idx" ON "node_interval"("environment_id", "started_at");

-- CreateIndex
CREATE INDEX "live_event_topic_id_idx" ON "live_event"("topic", "id");

-- CreateIndex
CREATE INDEX "live_event_at_idx" ON "live_event"("at");

-- CreateIndex
CREATE UNIQUE INDEX "audit_event_id_key" ON "audit_event"("id");

-- CreateIndex
CREATE INDEX "audit_event_at_idx" ON "audit_event"("at");

-- CreateIndex
CREATE INDEX "audit_event_environment_id_at_idx" ON "audit_event"("environment_id", "at");

-- CreateIndex
CREATE INDEX "audit_event_action_idx" ON "audit_event"("action");

-- AddForeignKey
ALTER TABLE "session" ADD CONSTRAINT "session_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user_account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "access_grant" ADD CONSTRAINT "access_grant_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "access_grant" ADD CONSTRAINT "access_grant_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user_account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_token" ADD CONSTRAINT "api_token_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user_account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "environment" ADD CONSTRAINT "environment_cluster_id_fkey" FOREIGN KEY ("cluster_id") REFERENCES "cluster"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "deployment" ADD CONSTRAINT "deployment_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "revision" ADD CONSTRAINT "revision_deployment_id_fkey" FOREIGN KEY ("deployment_id") REFERENCES "deployment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "rollout" ADD CONSTRAINT "rollout_revision_id_fkey" FOREIGN KEY ("revision_id") REFERENCES "revision"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "document" ADD CONSTRAINT "document_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "run" ADD CONSTRAINT "run_document_id_fkey" FOREIGN KEY ("document_id") REFERENCES "document"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "run_page" ADD CONSTRAINT "run_page_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "usage_hour" ADD CONSTRAINT "usage_hour_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "node_interval" ADD CONSTRAINT "node_interval_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "node_interval" ADD CONSTRAINT "node_interval_deployment_id_fkey" FOREIGN KEY ("deployment_id") REFERENCES "deployment"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- The audit trail only grows: the store itself refuses every other change, whoever asks.
CREATE FUNCTION audit_event_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit_event is append-only: % is refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER audit_event_no_change BEFORE UPDATE OR DELETE ON "audit_event" FOR EACH ROW EXECUTE FUNCTION audit_event_is_append_only();
CREATE TRIGGER audit_event_no_truncate BEFORE TRUNCATE ON "audit_event" FOR EACH STATEMENT EXECUTE FUNCTION audit_event_is_append_only();

-- A deployment's name is taken in its environment until it is deleted.
CREATE UNIQUE INDEX "deployment_name_in_use" ON "deployment" ("environment_id", "name") WHERE "deleted_at" IS NULL;

-- Every row that the live stream delivers wakes the listeners of every replica.
CREATE FUNCTION live_event_notify() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('live_event', NEW.id::text || ' ' || NEW.topic);
  RETURN NULL;
END $$;
CREATE TRIGGER live_event_notify AFTER INSERT ON "live_event" FOR EACH ROW EXECUTE FUNCTION live_event_notify();
