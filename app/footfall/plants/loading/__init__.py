"""Loading of models: a pipeline from files to a finalized plant.

Files are found (`model_files`), expanded (`expansion`), mended (`mending`) and checked
(`model_check`), and a plant is built of them (`load`); no stage knows a later one.
"""
