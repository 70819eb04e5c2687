-- AlterTable
ALTER TABLE "usage_total" DROP CONSTRAINT "usage_total_pkey",
ADD COLUMN     "feature" TEXT NOT NULL DEFAULT '',
ADD CONSTRAINT "usage_total_pkey" PRIMARY KEY ("environment_id", "hour", "model_id", "sku_key", "feature");

-- CreateIndex
CREATE INDEX "usage_hour_environment_id_deployment_key_hour_idx" ON "usage_hour"("environment_id", "deployment_key", "hour");

CREATE OR REPLACE FUNCTION usage_total_add() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO usage_total AS t (environment_id, hour, model_id, sku_key, feature, pages, seconds)
  SELECT environment_id, hour, model_id, sku_key, feature, SUM(pages), SUM(seconds) FROM added
  GROUP BY environment_id, hour, model_id, sku_key, feature ORDER BY environment_id, hour, model_id, sku_key, feature
  ON CONFLICT (environment_id, hour, model_id, sku_key, feature) DO UPDATE SET pages = t.pages + EXCLUDED.pages, seconds = t.seconds + EXCLUDED.seconds;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION usage_total_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO usage_total AS t (environment_id, hour, model_id, sku_key, feature, pages, seconds)
  SELECT environment_id, hour, model_id, sku_key, feature, SUM(pages), SUM(seconds) FROM (
    SELECT environment_id, hour, model_id, sku_key, feature, pages, seconds FROM added
    UNION ALL SELECT environment_id, hour, model_id, sku_key, feature, -pages, -seconds FROM removed) AS delta
  GROUP BY environment_id, hour, model_id, sku_key, feature ORDER BY environment_id, hour, model_id, sku_key, feature
  ON CONFLICT (environment_id, hour, model_id, sku_key, feature) DO UPDATE SET pages = t.pages + EXCLUDED.pages, seconds = t.seconds + EXCLUDED.seconds;
  RETURN NULL;
END $$;

-- What was summed over features is summed anew from the hours, which are kept for ever.
DELETE FROM usage_total;
INSERT INTO usage_total (environment_id, hour, model_id, sku_key, feature, pages, seconds)
SELECT environment_id, hour, model_id, sku_key, feature, SUM(pages), SUM(seconds) FROM usage_hour GROUP BY environment_id, hour, model_id, sku_key, feature;
