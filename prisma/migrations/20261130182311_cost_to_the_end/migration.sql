-- AlterTable
ALTER TABLE "node_interval" ADD COLUMN     "import_id" UUID,
ADD COLUMN     "mode" TEXT NOT NULL DEFAULT 'on_demand',
ADD COLUMN     "region" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "start_source" TEXT NOT NULL DEFAULT 'observed',
ADD COLUMN     "use" TEXT NOT NULL DEFAULT 'held';

-- CreateTable
CREATE TABLE "usage_total" (
    "environment_id" UUID NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "model_id" TEXT NOT NULL,
    "sku_key" TEXT NOT NULL,
    "pages" BIGINT NOT NULL,
    "seconds" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "usage_total_pkey" PRIMARY KEY ("environment_id","hour","model_id","sku_key")
);

-- CreateTable
CREATE TABLE "usage_person_hour" (
    "environment_id" UUID NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "feature" TEXT NOT NULL,
    "user_key" TEXT NOT NULL DEFAULT '',
    "token_key" TEXT NOT NULL DEFAULT '',
    "pages" INTEGER NOT NULL,

    CONSTRAINT "usage_person_hour_pkey" PRIMARY KEY ("environment_id","hour","feature","user_key","token_key")
);

-- CreateTable
CREATE TABLE "usage_import" (
    "id" UUID NOT NULL,
    "environment_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "file_name" TEXT NOT NULL,
    "rows" INTEGER NOT NULL,
    "created_by_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "undone_at" TIMESTAMPTZ(3),

    CONSTRAINT "usage_import_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "imported_hour" (
    "import_id" UUID NOT NULL,
    "environment_id" UUID NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "model_id" TEXT NOT NULL,
    "sku_key" TEXT NOT NULL,
    "feature" TEXT NOT NULL,
    "pages" INTEGER NOT NULL,

    CONSTRAINT "imported_hour_pkey" PRIMARY KEY ("import_id","hour","model_id","sku_key","feature")
);

-- CreateTable
CREATE TABLE "engine_counter" (
    "pod_uid" TEXT NOT NULL,
    "environment_id" UUID NOT NULL,
    "deployment_id" UUID NOT NULL,
    "value" BIGINT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "engine_counter_pkey" PRIMARY KEY ("pod_uid")
);

-- CreateTable
CREATE TABLE "engine_hour" (
    "environment_id" UUID NOT NULL,
    "deployment_id" UUID NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "requests" BIGINT NOT NULL,
    "own" BIGINT NOT NULL,

    CONSTRAINT "engine_hour_pkey" PRIMARY KEY ("environment_id","deployment_id","hour")
);

-- CreateTable
CREATE TABLE "price_version" (
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "region" TEXT NOT NULL DEFAULT '',
    "mode" TEXT NOT NULL DEFAULT '',
    "effective_from" TIMESTAMPTZ(3) NOT NULL,
    "value" JSONB NOT NULL,
    "origin" TEXT NOT NULL,
    "reason" TEXT NOT NULL DEFAULT '',
    "created_by_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "replaced_at" TIMESTAMPTZ(3),
    "replaced_by_id" UUID,

    CONSTRAINT "price_version_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "scenario" (
    "id" UUID NOT NULL,
    "environment_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "inputs" JSONB NOT NULL,
    "frozen" JSONB,
    "created_by_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "scenario_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "usage_import_environment_id_idx" ON "usage_import"("environment_id");

-- CreateIndex
CREATE INDEX "imported_hour_environment_id_hour_idx" ON "imported_hour"("environment_id", "hour");

-- CreateIndex
CREATE INDEX "engine_counter_environment_id_idx" ON "engine_counter"("environment_id");

-- CreateIndex
CREATE INDEX "price_version_kind_subject_idx" ON "price_version"("kind", "subject");

-- CreateIndex
CREATE UNIQUE INDEX "scenario_environment_id_name_key" ON "scenario"("environment_id", "name");

-- CreateIndex
CREATE INDEX "node_interval_environment_id_ended_at_idx" ON "node_interval"("environment_id", "ended_at");

-- CreateIndex
CREATE INDEX "usage_entry_at_idx" ON "usage_entry"("at");

-- AddForeignKey
ALTER TABLE "node_interval" ADD CONSTRAINT "node_interval_import_id_fkey" FOREIGN KEY ("import_id") REFERENCES "usage_import"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "usage_total" ADD CONSTRAINT "usage_total_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "usage_person_hour" ADD CONSTRAINT "usage_person_hour_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "usage_import" ADD CONSTRAINT "usage_import_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "imported_hour" ADD CONSTRAINT "imported_hour_import_id_fkey" FOREIGN KEY ("import_id") REFERENCES "usage_import"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "engine_hour" ADD CONSTRAINT "engine_hour_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "scenario" ADD CONSTRAINT "scenario_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Every writer of usage_hour keeps the totals, without knowing of them.
CREATE FUNCTION usage_total_add() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO usage_total AS t (environment_id, hour, model_id, sku_key, pages, seconds)
  SELECT environment_id, hour, model_id, sku_key, SUM(pages), SUM(seconds) FROM added
  GROUP BY environment_id, hour, model_id, sku_key ORDER BY environment_id, hour, model_id, sku_key
  ON CONFLICT (environment_id, hour, model_id, sku_key) DO UPDATE SET pages = t.pages + EXCLUDED.pages, seconds = t.seconds + EXCLUDED.seconds;
  RETURN NULL;
END $$;

CREATE FUNCTION usage_total_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO usage_total AS t (environment_id, hour, model_id, sku_key, pages, seconds)
  SELECT environment_id, hour, model_id, sku_key, SUM(pages), SUM(seconds) FROM (
    SELECT environment_id, hour, model_id, sku_key, pages, seconds FROM added
    UNION ALL SELECT environment_id, hour, model_id, sku_key, -pages, -seconds FROM removed) AS delta
  GROUP BY environment_id, hour, model_id, sku_key ORDER BY environment_id, hour, model_id, sku_key
  ON CONFLICT (environment_id, hour, model_id, sku_key) DO UPDATE SET pages = t.pages + EXCLUDED.pages, seconds = t.seconds + EXCLUDED.seconds;
  RETURN NULL;
END $$;

CREATE TRIGGER usage_hour_added AFTER INSERT ON usage_hour REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION usage_total_add();
CREATE TRIGGER usage_hour_changed AFTER UPDATE ON usage_hour REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION usage_total_change();

INSERT INTO usage_total (environment_id, hour, model_id, sku_key, pages, seconds)
SELECT environment_id, hour, model_id, sku_key, SUM(pages), SUM(seconds) FROM usage_hour GROUP BY environment_id, hour, model_id, sku_key;
